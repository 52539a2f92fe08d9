import type { Reply } from '../../contract/endpoint.ts'
import {
  JUNCTION_RECORDED_MESSAGE,
  type Junction,
  type JunctionRecording,
  junctions,
} from '../../contract/junctions.ts'
import { WAITING_MESSAGE } from '../../contract/recordings.ts'
import {
  buildJunctionPayload,
  type CountedJunction,
  junctionFormOf,
  junctionRefusal,
} from '../../domain/forms/junctions.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { piecesText } from '../../domain/text/numbers.ts'
import { query } from '../server/query.ts'
import { junctionDetailsPath } from '../text/links.ts'
import type { FormDraft, Frozen, PlaceOf, WorkAct } from './act.ts'
import { goesBackTo, recordingMessages } from './act-texts.ts'

export type FrozenJunction = Frozen<JunctionRecording> & { kind: 'junction'; order: string; junction: string }

export const junctionDraft = {
  prefix: 'rascunho-juncao:',
  keyOf: ({ branch, order, junction: position }: Omit<PlaceOf<FrozenJunction>, 'kind'>) =>
    `rascunho-juncao:${branch}:${order}:${position}`,
  sectionOf: () => 'form',
  formsOf: ({ payload }) => ({ form: junctionFormOf(payload) }),
} satisfies FormDraft<FrozenJunction>

export type PressedJunction = {
  junction: Junction
  form: CountedJunction
  branch: string
  order: string
  timeZone: string
}

export const junction: WorkAct<FrozenJunction, PressedJunction> = {
  endpoint: junctions.record,
  placeOf: (payload) => ({
    kind: 'junction',
    branch: payload.FILIAL,
    order: payload.NUMERO_OP,
    junction: payload.POSICAO,
  }),
  deliveryKeyOf: (place) => `junção|${place.branch}|${place.order}|${place.junction}`,
  pathOf: (place) => junctionDetailsPath(place.branch, place.order, place.junction),
  payloadOf: ({ junction: joined, form, branch, order, timeZone }, author) => {
    const day = plantDay(Date.parse(author.registeredAt), timeZone)
    return buildJunctionPayload(joined, form, { ...author, branch, order, day })
  },
  titleOf: (payload) => `Junção ${payload.POSICAO} · ${piecesText(payload.QTD_APONTADA)}`,
  factsOf: (payload) => [
    ['OP', payload.NUMERO_OP],
    ['Grupo MP', payload.GRUPO_MP],
    ['Terminal', payload.TERMINAL],
    ['Lote', payload.LOTE_TERMINAL],
    ['Máquina', payload.MAQUINA],
  ],
  messages: {
    ...recordingMessages,
    recorded: JUNCTION_RECORDED_MESSAGE,
    refused: ({ message, status }) => {
      const unsaid = status === 400 ? 'Dados inválidos para registro' : 'Erro ao registrar apontamento'
      return `Erro ao registrar apontamento: ${message || unsaid}`
    },
    takenBack: goesBackTo('da junção'),
  },
  erp: { waiting: WAITING_MESSAGE, discarded: () => 'As peças saem da produção.' },
  work: {
    refusalOf: (pressed) => junctionRefusal(pressed.junction, pressed.form),
    piecesIn: ({ QTD_APONTADA }) => QTD_APONTADA,
    operatorIn: ({ OPERADOR }) => OPERADOR,
    // no `itemIn`: its percentage is the ERP's own
    readingOf: ({ branch, order, junction: position }) =>
      query(junctions.details, { query: { filial: branch, numeroOp: order, posicao: position } }),
    withTaken: (read: Reply<typeof junctions.details>, { QTD_APONTADA }) => ({
      ...read,
      juncao: read.juncao && { ...read.juncao, aguardandoErp: read.juncao.aguardandoErp + QTD_APONTADA },
    }),
    draft: junctionDraft,
  },
}
