import type {
  EndHistory,
  HistoryEnd,
  HistoryEntry,
  HistorySample,
  LookedReading,
} from '../../contract/end-histories.ts'
import type { Treatment } from '../../contract/treatments.ts'
import { actionTexts, occasionTexts } from '../quality/measuring.ts'
import { causeText, characteristicTexts, unitOf } from '../reports/spc-names.ts'
import {
  each as eachOnce,
  gaugeText,
  type MomentText,
  measureText,
  millimetresText,
  planVersionsText,
  situationLabels,
  stepLabels,
} from '../reports/traces.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'
import { callStateTexts } from '../tools/maintenance-calls.ts'
import { endText, findingText, judgedIn, lookedText, notedText, verdictTexts } from './end-histories.ts'
import type { Entry, Recorded } from './end-history-links.ts'

/** A line of the file: a characteristic of a sample, else an entry as a whole. */
type Line = { end: HistoryEnd; entry: HistoryEntry; reading: HistorySample['leituras'][number] | null }

export const historyLines = ({ extremo, entradas }: EndHistory): Line[] =>
  entradas.flatMap((entry): Line[] =>
    entry.tipo === 'medicao'
      ? entry.leituras.map((reading) => ({ end: extremo, entry, reading }))
      : [{ end: extremo, entry, reading: null }],
  )

const kindTexts: Record<HistoryEntry['tipo'], string> = {
  medicao: 'Medição',
  apontamento: 'Apontamento',
  liberacao: 'Liberação',
  chamado: 'Chamado',
  refugo: 'Refugo',
}

/** Text of an entry's cell, by its kind; empty of kinds that have none. */
type ByKind = { [Kind in HistoryEntry['tipo']]?: (one: Entry<Kind>) => string }
const byKind =
  (texts: ByKind) =>
  ({ entry }: Line): string =>
    (texts[entry.tipo] as ((one: HistoryEntry) => string) | undefined)?.(entry) ?? ''

const ofSample = (pick: (one: HistorySample) => string) => byKind({ medicao: pick })
const ofRecording = (pick: (one: Recorded) => string) => byKind({ apontamento: pick })

const whoOf = byKind({
  medicao: ({ operador }) => operador,
  apontamento: ({ linha }) => linha.operador,
  liberacao: ({ por }) => por,
  chamado: ({ abertoPor }) => abertoPor,
  refugo: ({ operador }) => operador,
})

const tool = ({ miniaplicador }: { miniaplicador: string }) => miniaplicador
const toolOf = byKind({ medicao: tool, apontamento: ({ linha }) => tool(linha), chamado: tool, refugo: tool })

const machine = ({ maquina }: { maquina: string }) => maquina
const machineOf = byKind({
  medicao: machine,
  apontamento: ({ linha }) => machine(linha),
  chamado: machine,
  refugo: machine,
})

const lot = ({ lote }: { lote: string }) => lote
const lotOf = byKind({ medicao: lot, apontamento: ({ linha }) => lot(linha), refugo: lot })

const terminal = (one: { terminal: string }) => one.terminal
const materialOf = byKind({ medicao: terminal, apontamento: ({ linha }) => linha.codigo, refugo: terminal })

const delayed = ({ entry }: Line) => ('recebidoEm' in entry ? entry : null)

const each = (texts: readonly string[]): string => texts.filter(Boolean).join(' · ')

const findingsOf = byKind({
  medicao: ({ achados }) => each(achados.map(findingText)),
  apontamento: ({ achados }) => each(achados.map(notedText)),
  refugo: ({ autorConfirmado }) => (autorConfirmado ? '' : findingText('autor-nao-confirmado')),
})

const reasonsOf = byKind({
  liberacao: ({ motivo }) => motivo,
  chamado: ({ nota }) => nota,
  apontamento: ({ linha, achados }) => each([linha.motivoForaDoLimite, ...achados.map(({ motivo }) => motivo)]),
  refugo: ({ motivoTexto, nota }) => [motivoTexto, nota].filter(Boolean).join(': '),
})

const situationOf = byKind({
  medicao: ({ invalida, conta }) => (invalida ? 'Invalidada' : conta ? 'Vale' : 'Não conta'),
  apontamento: ({ linha }) => situationLabels[linha.situacao],
  chamado: ({ situacao }) => callStateTexts[situacao],
  liberacao: ({ apontamento }) => (apontamento === null ? 'Não usada' : 'Usada'),
  refugo: ({ desfeito, retrabalho }) => (desfeito ? 'Desfeito' : retrabalho ? 'Retrabalho' : 'Refugo'),
})

const stepOf = byKind({ apontamento: ({ linha }) => stepLabels[linha.etapa], refugo: ({ parte }) => stepLabels[parte] })

const piecesOf = byKind({
  apontamento: ({ linha }) => (linha.etapa === 'recebimento' ? '' : String(linha.pecas)),
  liberacao: ({ pecas }) => String(pecas ?? ''),
  refugo: ({ pecas }) => String(pecas),
})

const usedOf = byKind({
  medicao: ({ apontamentos }) => apontamentos.join(' '),
  liberacao: ({ apontamento }) => apontamento ?? '',
})

const treated = (treatments: readonly Treatment[], moment: MomentText): string =>
  each(treatments.map(({ por, em, texto }) => `${por}, ${moment(em)}: ${texto}`))

type Written = { momentText: MomentText; forceUnit: string }

/** Columns that came later: a spreadsheet of before finds its own at their old places. */
const laterColumns = ({ momentText, forceUnit }: Written): CsvColumns<Line> => {
  const looked = (readings: readonly LookedReading[]) =>
    csvText(each(readings.map((one) => lookedText(one, { momentText, forceUnit }))))
  const moments = (instants: readonly (string | null)[]) =>
    each(instants.map((one) => (one === null ? '' : momentText(one))))
  return [
    ['Unidade', ({ reading }) => (reading ? unitOf(reading.caracteristica, forceUnit) : '')],
    ['Apontamentos', usedOf],
    [
      'Causas',
      ({ entry, reading }) =>
        entry.tipo === 'medicao' && reading
          ? csvText(
              each(
                entry.causas
                  .filter(({ caracteristica }) => caracteristica === reading.caracteristica)
                  .map((cause) => causeText(cause, momentText)),
              ),
            )
          : '',
    ],
    [
      'Tratamentos',
      byKind({
        medicao: ({ tratamentos }) => csvText(treated(tratamentos, momentText)),
        apontamento: ({ achados }) => csvText(each(achados.map(({ tratamentos }) => treated(tratamentos, momentText)))),
      }),
    ],
    [
      'O que se olhou',
      byKind({
        liberacao: ({ olhadas }) => looked(olhadas ?? []),
        apontamento: ({ fora }) => looked(fora),
        chamado: ({ medicoes }) => looked(medicoes),
      }),
    ],
    [
      'Liberado por quem apontou',
      byKind({
        liberacao: ({ propria }) => (propria ? 'sim' : ''),
        apontamento: ({ achados }) => (achados.some((one) => one.liberadoPorQuemApontou) ? 'sim' : ''),
      }),
    ],
    ['Desfeito por', byKind({ refugo: ({ desfeito }) => csvText(desfeito?.por ?? '') })],
    ['Motivo do estorno', byKind({ refugo: ({ desfeito }) => csvText(desfeito?.motivo ?? '') })],
    ['Instrumento vencido', ({ reading }) => (reading?.vencido ? 'sim' : '')],
    [
      'Medida de novo em',
      byKind({
        medicao: ({ medidaEm }) => moments([medidaEm]),
        apontamento: ({ achados }) => moments(achados.map((one) => one.medidaEm)),
      }),
    ],
  ]
}

/** One column for each fact that the sheet says in words; typed texts are cells of text. */
export function historyColumns(shown: Written): CsvColumns<Line> {
  const { momentText } = shown
  const moment = (instant: string | null) => (instant === null ? '' : momentText(instant))
  const plan = ({ reading, entry }: Line): string => {
    if (reading) return reading.plano === null ? '' : `v${reading.plano}`
    return entry.tipo === 'apontamento' ? planVersionsText(entry.linha) : ''
  }
  const released = ofRecording(({ achados }) =>
    achados
      .flatMap(({ liberadoPor, motivoDaLiberacao }) => (liberadoPor ? [`${liberadoPor}: ${motivoDaLiberacao}`] : []))
      .join(' · '),
  )
  return [
    ['Data e hora', ({ entry }) => moment(entry.em)],
    ['O quê', ({ entry }) => kindTexts[entry.tipo]],
    ['Extremo', ({ end }) => endText(end)],
    ['Ordem', ({ end }) => csvCode(end.ordem)],
    ['Item', ({ end }) => csvCode(end.item)],
    ['Código de barras', ({ end }) => csvCode(end.codigoBarras)],
    ['Posição', ({ end }) => csvCode(end.posicao)],
    ['Etapa', stepOf],
    ['Ocasião', ofSample(({ ocasiao, digitada }) => (digitada ? 'digitada' : occasionTexts[ocasiao]))],
    ['Característica', ({ reading }) => (reading ? characteristicTexts[reading.caracteristica] : '')],
    ['Medido', (line) => csvText(line.reading?.medido ?? samplesOf(line, 'medido'))],
    ['Limites', (line) => csvText(line.reading?.exigido ?? samplesOf(line, 'exigido'))],
    ['Versão do plano', plan],
    ['Veredito', (line) => verdictOf(line)],
    ['Instrumento', ({ reading }) => csvCode(reading?.instrumento ?? '')],
    ['Calibração naquele dia', ({ reading }) => csvText(reading?.calibracao ?? '')],
    ['Quem', (line) => csvText(whoOf(line))],
    ['O que fez', ofSample(({ acao }) => (acao ? csvText(actionTexts[acao]) : ''))],
    ['Achados', (line) => csvText(findingsOf(line))],
    ['Motivo', (line) => csvText(reasonsOf(line))],
    ['Liberado por', (line) => csvText(released(line))],
    ['Peças', piecesOf],
    ['Força', ofRecording(({ linha }) => measureText(linha.forca))],
    ['Altura (mm)', ofRecording(({ linha }) => millimetresText(linha.alturaMm))],
    ['Material', (line) => csvCode(materialOf(line))],
    ['Lote', (line) => csvCode(lotOf(line))],
    ['Selo', ofRecording(({ linha }) => csvCode(linha.selo))],
    ['Mini aplicador', (line) => csvCode(toolOf(line))],
    ['Ciclo do contador', ofSample(({ ciclo }) => (ciclo === null ? '' : String(ciclo)))],
    ['Máquina', (line) => csvCode(machineOf(line))],
    ['Bitola (mm²)', ofSample(({ bitolaMilli }) => gaugeText(bitolaMilli))],
    ['Situação', situationOf],
    ['Invalidada por', ofSample(({ invalida }) => csvText(invalida?.por ?? ''))],
    ['Motivo da invalidação', ofSample(({ invalida }) => csvText(invalida?.motivo ?? ''))],
    ['Recebido em', (line) => moment(delayed(line)?.recebidoEm ?? null)],
    ['Recebido depois (min)', (line) => String(delayed(line)?.demoraMinutos ?? '')],
    ['Chamado', ({ entry }) => (entry.tipo === 'chamado' ? csvText(`${entry.numero} ${entry.assunto}`) : '')],
    ['Encerrado por', ({ entry }) => (entry.tipo === 'chamado' ? csvText(entry.encerradoPor) : '')],
    [
      'O que foi feito',
      ({ entry }) =>
        entry.tipo === 'chamado' ? csvText([entry.causa, entry.feito, entry.motivo].filter(Boolean).join(' · ')) : '',
    ],
    ['Identificação', ({ entry }) => entry.id],
    ...laterColumns(shown),
  ]
}

const samplesOf = ({ entry }: Line, of: 'medido' | 'exigido'): string =>
  entry.tipo === 'apontamento' ? eachOnce((entry.linha.medicoes ?? []).map((sample) => sample[of])) : ''

function verdictOf({ reading, entry }: Line): string {
  if (reading) return verdictTexts[reading.veredito]
  if (entry.tipo !== 'apontamento') return ''
  const judged = judgedIn(entry)
  return judged.some(({ fora }) => fora) ? verdictTexts.fora : judged.length > 0 ? verdictTexts.dentro : ''
}

/** `day` is the plant's, `YYYY-MM-DD`. What was typed is no part of a file's name until only these marks are left of it. */
export function historyFileName({ extremo, cortado }: Pick<EndHistory, 'extremo' | 'cortado'>, day: string): string {
  const { parte, ordem, codigoBarras, posicao } = extremo
  const parts = [codigoBarras || `${ordem}-${posicao}`, parte, ...(cortado ? ['incompleta'] : []), day]
  return `historia_medicao_${parts.join('_').replace(/[^\w.-]+/g, '-')}.csv`
}
