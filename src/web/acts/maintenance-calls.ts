import type { CallSymptom, CallTopic, MaintenanceCallForm } from '../../contract/maintenance-calls.ts'
import type { CallTeam } from '../../contract/values.ts'
import { captureOf } from '../../domain/acts/recordings.ts'
import { symptomTexts } from '../../domain/tools/call-symptoms.ts'
import { deferred } from '../device/deferred.ts'
import { links } from '../text/links.ts'
import type { Act, Frozen } from './act.ts'

/** Where somebody stands who calls; texts are empty where there is no such thing. */
export type CallPlace = {
  /** Its id. */
  machine: string
  tool: string
  order: string
  /** Barcode of an item, else empty. */
  barcode: string
  side: '1' | '2' | ''
  /** Position of a junction, else empty. */
  junction: string
}
/** Team called, and the reason. Without a team it is maintenance: a page of the version before knew no other. */
export type CallReason = { symptom: CallSymptom; team?: CallTeam | undefined; topic?: CallTopic | undefined }
export type FrozenMaintenanceCall = Frozen<MaintenanceCallForm> & CallPlace & CallReason & { kind: 'maintenanceCall' }

/** Empty texts are left out. */
const given = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

/** `act`: the sample outside that it follows. */
type PressedCall = CallPlace & CallReason & { branch: string; act?: string }

export const maintenanceCall: Act<FrozenMaintenanceCall, PressedCall> = {
  endpoint: deferred(async () => (await import('../../contract/maintenance-calls.ts')).maintenanceCalls.open).load,
  placeOf: (payload) => ({
    kind: 'maintenanceCall',
    branch: payload.filial,
    machine: payload.maquina,
    tool: payload.miniaplicador ?? '',
    order: payload.ordem ?? '',
    barcode: payload.codigoBarras ?? '',
    side: payload.lado ?? '',
    junction: payload.posicao ?? '',
    symptom: payload.sintoma,
    team: payload.equipe,
    topic: payload.assunto,
  }),
  // of maintenance the last two are empty, as in what a page of the version before has stored
  deliveryKeyOf: ({ branch, machine, tool, symptom, team, topic }) =>
    ['chamado', branch, machine, tool, symptom, team, topic].join('|'),
  pathOf: () => links.equipment,
  payloadOf: ({ branch, machine, tool, order, barcode, side, junction: position, ...reason }, author) => ({
    filial: branch,
    maquina: machine,
    ...given({ miniaplicador: tool, ordem: order, codigoBarras: barcode, posicao: position }),
    ...(side === '' ? {} : { lado: side }),
    sintoma: reason.symptom,
    ...(reason.team && { equipe: reason.team, assunto: reason.topic, medicao: reason.act || undefined }),
    captura: captureOf(author),
  }),
  titleOf: ({ equipe, sintoma }) => (equipe ? 'Chamado' : `Chamado · ${symptomTexts[sintoma]}`),
  factsOf: ({ maquina, miniaplicador, ordem, codigoBarras, posicao, lado }) => [
    ['Máquina', maquina],
    ['Mini aplicador', miniaplicador],
    ['OP', ordem],
    ['Código de barras', codigoBarras],
    ['Lado', lado],
    ['Junção', posicao],
  ],
  messages: {
    recorded: 'Chamado aberto.',
    saved: 'Sem rede: chame também pessoalmente. O chamado segue quando a rede voltar.',
    notKept: 'O chamado não foi guardado neste dispositivo. Chame pessoalmente.',
    refused: ({ message }) => message || 'Erro ao chamar',
    takenBack: 'O chamado sai da fila. Se ainda for preciso, chame de novo.',
  },
}
