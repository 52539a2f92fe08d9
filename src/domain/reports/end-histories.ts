import type { EndHistory, HistoryCall, HistoryEnd, HistoryEntry, HistorySample } from '../../contract/end-histories.ts'
import type { Finding, Verdict } from '../../contract/measurements.ts'
import type { TraceLine } from '../../contract/traces.ts'
import { delayText } from '../acts/late-acts.ts'
import { actionTexts, occasionTexts } from '../quality/measuring.ts'
import { notedTexts, passedTexts } from '../quality/plan-gate.ts'
import { countText } from '../text/numbers.ts'
import { callStateTexts } from '../tools/maintenance-calls.ts'
import { characteristicTexts } from './spc-names.ts'
import {
  gaugeText,
  isBelowMinimum,
  type MomentText,
  measuredText,
  measureText,
  millimetresText,
  planLines,
  situationLabels,
  stepLabels,
} from './traces.ts'

const findingTexts: Partial<Record<Finding, string>> = {
  ...notedTexts,
  implausivel: 'Valor implausível',
  'autor-nao-confirmado': 'Autor não confirmado',
  'registrado-depois': 'Registrado depois',
  'nao-confere': 'Não confere com o item',
  'lote-retirado': 'Lote retirado: não era um lote',
}

/** A word of a later version is shown as it is. */
export const findingText = (finding: Finding): string => findingTexts[finding] ?? finding

export const verdictTexts: Record<Verdict, string> = { dentro: 'dentro', fora: 'fora', 'sem-plano': 'sem plano' }

/** 'Terminal Lado 1', 'Junção' */
export const endText = ({ parte }: Pick<HistoryEnd, 'parte'>): string => stepLabels[parte]

/** Text of a cell; a bad one stands out. */
export type Said = { text: string; isBad: boolean }

export type HistoryCells = {
  title: string
  moment: string
  /** When it was received, where that was later. */
  late: string
  /** Values, what limited them, the verdict. */
  values: Said[]
  /** Instrument, tool, machine, material. */
  means: string[]
  people: string[]
  /** Action, findings, reasons, what became of it. */
  outcome: Said[]
}

const good = (text: string): Said => ({ text, isBad: false })
const bad = (text: string): Said => ({ text, isBad: true })
const said = (texts: readonly (Said | false | null | '')[]): Said[] =>
  texts.filter((one): one is Said => !!one && one.text !== '')
const joined = (...texts: (string | false | null)[]): string => texts.filter(Boolean).join(' · ')

type Shown = { momentText: MomentText; forceUnit: string }

const lateText = (
  { recebidoEm, demoraMinutos }: { recebidoEm: string; demoraMinutos: number | null },
  momentText: MomentText,
) => (demoraMinutos === null ? '' : `recebido em ${momentText(recebidoEm)}, ${delayText(demoraMinutos)} depois`)

const readingSaid = ({
  caracteristica,
  medido,
  exigido,
  plano,
  veredito,
}: HistorySample['leituras'][number]): Said => ({
  // 'Altura 1,100 / 1,102 · 1,050 a 1,150': what it is stands there already
  text: joined(
    medido,
    exigido.replace(`${characteristicTexts[caracteristica]} `, ''),
    plano !== null && `plano v${plano}`,
    verdictTexts[veredito],
  ),
  isBad: veredito === 'fora',
})

/** 'MIC-01, calibração: até 31/12/2026' */
const instrumentText = ({
  instrumento,
  calibracao,
}: Pick<HistorySample['leituras'][number], 'instrumento' | 'calibracao'>): string =>
  instrumento === '' ? 'Sem instrumento' : `${instrumento}, calibração: ${calibracao}`

const toolText = ({ miniaplicador, ciclo }: Pick<HistorySample, 'miniaplicador' | 'ciclo'>): string =>
  miniaplicador === '' ? '' : joined(miniaplicador, ciclo !== null && `ciclo ${ciclo}`)

function sampleCells(one: HistorySample, { momentText }: Shown): HistoryCells {
  const { invalida } = one
  return {
    title: one.digitada ? 'Valor digitado' : `Medição: ${occasionTexts[one.ocasiao]}`,
    moment: momentText(one.em),
    late: lateText(one, momentText),
    values: one.leituras.map(readingSaid),
    means: [
      ...new Set(one.leituras.map(instrumentText)),
      toolText(one),
      one.maquina,
      joined(one.terminal, one.bitolaMilli !== null && `${gaugeText(one.bitolaMilli)} mm²`),
      one.lote && `Lote ${one.lote}`,
    ].filter(Boolean),
    people: [one.operador],
    outcome: said([
      one.acao && good(actionTexts[one.acao]),
      ...one.achados.map((finding) => bad(findingText(finding))),
      invalida && bad(`Invalidada por ${invalida.por} em ${momentText(invalida.em)}: ${invalida.motivo}`),
      !one.conta && bad('Não conta'),
      !one.digitada && one.apontamentos.length === 0 && good('Nenhum apontamento a usa'),
    ]),
  }
}

const recordedText = (line: TraceLine, forceUnit: string): Said[] =>
  said([
    line.forca !== null && {
      text: joined(
        `Força ${measureText(line.forca)} ${forceUnit}`.trim(),
        measuredText(line.forca, line.forcaMedida),
        line.forcaMin !== null && `mín. da ordem ${measureText(line.forcaMin)}`,
      ),
      isBad: isBelowMinimum(line),
    },
    line.alturaMm !== null &&
      good(joined(`Altura ${millimetresText(line.alturaMm)} mm`, measuredText(line.alturaMm, line.alturaMedida))),
    ...planLines(line).map((text, at) => (at === 0 && !text.startsWith('fora') ? good(text) : bad(text))),
  ])

function recordingCells(one: Extract<HistoryEntry, { tipo: 'apontamento' }>, shown: Shown): HistoryCells {
  const { linha } = one
  const pieces =
    linha.etapa === 'recebimento' ? '' : ` · ${countText(linha.pecas)} ${linha.pecas === 1 ? 'peça' : 'peças'}`
  return {
    title: `Apontamento: ${stepLabels[linha.etapa]}${pieces}`,
    moment: shown.momentText(one.em),
    late: lateText(one, shown.momentText),
    values: recordedText(linha, shown.forceUnit),
    means: [
      linha.miniaplicador,
      linha.maquina,
      linha.codigo,
      linha.lote && `Lote ${linha.lote}`,
      joined(linha.selo, linha.seladora),
    ].filter(Boolean),
    people: [linha.operador],
    outcome: said([
      good(situationLabels[linha.situacao]),
      linha.motivoForaDoLimite && bad(`Fora do mínimo: ${linha.motivoForaDoLimite}`),
      ...one.achados.map(({ achado, modo, motivo, liberadoPor, motivoDaLiberacao }) =>
        bad(
          joined(
            `${findingText(achado)} (${passedTexts[modo]})`,
            motivo,
            liberadoPor && `liberado por ${liberadoPor}: ${motivoDaLiberacao}`,
          ),
        ),
      ),
    ]),
  }
}

/** 'Resolvido por Carlos em 26/11/2026 14:51: Desajuste, bigorna ajustada' */
function settledText(call: HistoryCall, momentText: MomentText): string {
  if (call.encerradoEm === null) return callStateTexts[call.situacao]
  const why = [call.causa, call.feito, call.motivo].filter(Boolean).join(', ')
  return `${callStateTexts[call.situacao]} por ${call.encerradoPor} em ${momentText(call.encerradoEm)}${why && `: ${why}`}`
}

const callCells = (one: HistoryCall, { momentText }: Shown): HistoryCells => ({
  title: `Chamado ${one.numero}: ${one.assunto}`,
  moment: momentText(one.em),
  late: '',
  values: said([good(one.nota)]),
  means: [one.miniaplicador, one.maquina].filter(Boolean),
  people: [one.abertoPor],
  outcome: said([
    one.atendidoEm !== null && good(`Atendido por ${one.atendidoPor} em ${momentText(one.atendidoEm)}`),
    good(settledText(one, momentText)),
  ]),
})

/** One look on the screen and on paper. */
export function historyCells(entry: HistoryEntry, shown: Shown): HistoryCells {
  if (entry.tipo === 'medicao') return sampleCells(entry, shown)
  if (entry.tipo === 'apontamento') return recordingCells(entry, shown)
  if (entry.tipo === 'chamado') return callCells(entry, shown)
  const nothing = { late: '', values: [], means: [] }
  const used = entry.apontamento === null ? 'Ainda não usada' : 'Usada em um apontamento'
  const outcome = [good(entry.motivo), good(used)]
  return { ...nothing, title: 'Liberação', moment: shown.momentText(entry.em), people: [entry.por], outcome }
}

/** `day` is the plant's, `YYYY-MM-DD`. What was typed is no part of a file's name until only these marks are left of it. */
export function historyFileName({ extremo, cortado }: Pick<EndHistory, 'extremo' | 'cortado'>, day: string): string {
  const { parte, ordem, codigoBarras, posicao } = extremo
  const parts = [codigoBarras || `${ordem}-${posicao}`, parte, ...(cortado ? ['incompleta'] : []), day]
  return `historia_medicao_${parts.join('_').replace(/[^\w.-]+/g, '-')}.csv`
}

export const CUT_TEXT = 'O mais antigo ficou de fora: é história demais para uma página.'
