import type {
  HistoryCall,
  HistoryEnd,
  HistoryEntry,
  HistoryRelease,
  HistorySample,
  HistoryScrap,
  LookedReading,
} from '../../contract/end-histories.ts'
import type { Characteristic, Finding, Verdict } from '../../contract/measurements.ts'
import type { ScrapPart } from '../../contract/scraps.ts'
import type { TraceMeasurement } from '../../contract/traces.ts'
import type { Situation, Treatment } from '../../contract/treatments.ts'
import { delayText } from '../acts/late-acts.ts'
import { unitText } from '../quality/control-plans.ts'
import { actionTexts, occasionTexts } from '../quality/measuring.ts'
import { situationTexts } from '../quality/occurrences.ts'
import { notedTexts, passedTexts, releaseNotes } from '../quality/plan-gate.ts'
import { causeText, characteristicsText, characteristicTexts, unitOf } from '../reports/spc-names.ts'
import {
  gaugeText,
  isBelowMinimum,
  type MomentText,
  measuredText,
  measureText,
  millimetresText,
  situationLabels,
  stepLabels,
} from '../reports/traces.ts'
import { piecesText } from '../text/numbers.ts'
import { callStateTexts } from '../tools/maintenance-calls.ts'
import type { HistoryLinks, Recorded } from './end-history-links.ts'

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
  /** Not to be overlooked: it was received later, its instrument's calibration was over. */
  notes: string[]
  /** Values, what limited them, the verdict. */
  values: Said[]
  /** Instrument, tool, machine, material. */
  means: string[]
  people: string[]
  /** Action, findings, reasons, what became of it. */
  outcome: Said[]
}

export const good = (text: string): Said => ({ text, isBad: false })
const bad = (text: string): Said => ({ text, isBad: true })
const said = (texts: readonly (Said | false | null | '')[]): Said[] =>
  texts.filter((one): one is Said => !!one && one.text !== '')
export const joined = (...texts: (string | false | null)[]): string => texts.filter(Boolean).join(' · ')

type Shown = { part: HistoryEnd['parte']; momentText: MomentText; forceUnit: string; links: HistoryLinks }

const lateText = (
  { recebidoEm, demoraMinutos }: { recebidoEm: string; demoraMinutos: number | null },
  momentText: MomentText,
) => (demoraMinutos === null ? '' : `recebido em ${momentText(recebidoEm)}, ${delayText(demoraMinutos)} depois`)

type Read = TraceMeasurement & { caracteristica?: Characteristic | undefined }

/** 'Altura 1,100 / 1,102 mm' */
const valuesText = ({ medido, caracteristica }: Read, forceUnit: string): string =>
  caracteristica ? unitText(medido, unitOf(caracteristica, forceUnit)) : medido

/** 'Altura 1,100 / 1,102 mm · 1,050 a 1,150 · plano v1': what it is stands there already. */
const judgedText = (one: Read, forceUnit: string): string =>
  joined(
    valuesText(one, forceUnit),
    one.caracteristica ? one.exigido.replace(`${characteristicTexts[one.caracteristica]} `, '') : one.exigido,
    one.plano !== null && `plano v${one.plano}`,
  )

const verdictSaid = (one: Read, verdict: Verdict, forceUnit: string): Said => ({
  text: joined(judgedText(one, forceUnit), verdictTexts[verdict]),
  isBad: verdict === 'fora',
})

/** 'MIC-01, calibração: até 31/12/2026' */
const instrumentText = ({
  instrumento,
  calibracao,
}: Pick<HistorySample['leituras'][number], 'instrumento' | 'calibracao'>): string =>
  instrumento === '' ? 'nenhum' : `${instrumento}, calibração: ${calibracao}`

/** One for all of them, or each with what it measured. */
function instrumentTexts({ leituras }: HistorySample): string[] {
  const texts = new Set(leituras.map(instrumentText))
  const [only = ''] = texts
  if (texts.size <= 1) return [only === 'nenhum' ? 'Sem instrumento' : `Instrumento: ${only}`]
  return leituras.map((one) => `Instrumento (${characteristicsText([one.caracteristica])}): ${instrumentText(one)}`)
}

/** 'Máquina: KX0001 - Komax'; empty without one. */
const labelled = (label: string, text: string): string => text && `${label}: ${text}`

/** A terminal is crimped with a tool: where none is named that is said, for a blank would look forgotten. */
const toolText = (part: ScrapPart, tool: string): string =>
  tool === '' && (part === 'l1' || part === 'l2') ? 'Sem mini aplicador cadastrado' : labelled('Mini aplicador', tool)

const cycleText = (ciclo: number | null) => ciclo !== null && `ciclo ${ciclo}`

const treatmentsSaid = (treatments: readonly Treatment[], momentText: MomentText): Said[] =>
  treatments.map(({ por, em, texto }) => good(`Tratada por ${por} em ${momentText(em)}: ${texto}`))

type Standing = { situacao: Situation | null; medidaEm: string | null; tratamentos: readonly Treatment[] }

/** Treatments say themselves that it is treated. */
const standingSaid = ({ situacao, medidaEm, tratamentos }: Standing, momentText: MomentText): Said[] => [
  ...treatmentsSaid(tratamentos, momentText),
  ...(situacao === 'aberta' ? [bad('Em aberto')] : []),
  ...(medidaEm === null ? [] : [good(`${situationTexts.medida} em ${momentText(medidaEm)}: ${verdictTexts.dentro}`)]),
]

function usedTexts({ id, digitada, apontamentos }: HistorySample, { momentText, links }: Shown): string[] {
  if (digitada) return []
  const uses: [string, readonly { em: string }[]][] = [
    ['Usada no apontamento de', apontamentos.flatMap((one) => links.recordings.get(one) ?? [])],
    ['Olhada na liberação de', links.releases.get(id) ?? []],
    ['Deixou fora do plano o apontamento de', links.outside.get(id) ?? []],
  ]
  const texts = uses
    .filter(([, used]) => used.length > 0)
    .map(([text, used]) => `${text} ${used.map(({ em }) => momentText(em)).join(', ')}`)
  return texts.length > 0 ? texts : ['Nenhum apontamento a usa']
}

/** 'Instrumento vencido: MIC-ALT-02' */
function expiredText({ leituras }: HistorySample): string {
  const expired = new Set(leituras.flatMap(({ instrumento, vencido }) => (vencido ? [instrumento] : [])))
  return expired.size === 0 ? '' : `Instrumento vencido: ${[...expired].join(', ')}`
}

function sampleCells(one: HistorySample, shown: Shown): HistoryCells {
  const { momentText, forceUnit } = shown
  const { invalida } = one
  return {
    title: one.digitada ? 'Valor digitado' : `Medição: ${occasionTexts[one.ocasiao]}`,
    moment: momentText(one.em),
    notes: [expiredText(one), lateText(one, momentText)].filter(Boolean),
    values: one.leituras.map((reading) => verdictSaid(reading, reading.veredito, forceUnit)),
    means: [
      ...instrumentTexts(one),
      joined(toolText(shown.part, one.miniaplicador), one.miniaplicador !== '' && cycleText(one.ciclo)),
      labelled('Máquina', one.maquina),
      labelled('Terminal', joined(one.terminal, one.bitolaMilli !== null && `${gaugeText(one.bitolaMilli)} mm²`)),
      labelled('Lote', one.lote),
    ].filter(Boolean),
    people: [one.operador],
    outcome: said([
      one.acao && good(actionTexts[one.acao]),
      ...one.achados.map((finding) => bad(findingText(finding))),
      invalida && bad(`Invalidada por ${invalida.por} em ${momentText(invalida.em)}: ${invalida.motivo}`),
      !one.conta && bad('Não conta'),
      ...one.causas.map((cause) => good(causeSaid(cause, momentText))),
      ...standingSaid(one, momentText),
      ...usedTexts(one, shown).map(good),
    ]),
  }
}

/** 'Causa da altura: Ferramenta gasta: crimpador trocado (Rita Melo, qualidade, 12/11/2026 14:05)' */
const causeSaid = (cause: HistorySample['causas'][number], momentText: MomentText): string =>
  `Causa da ${characteristicsText([cause.caracteristica])}: ${causeText(cause, momentText)}`

/** Samples that a plan judged, or that are outside without one. */
export const judgedIn = ({ linha: { medicoes = [] } }: Recorded): TraceMeasurement[] =>
  medicoes.filter(({ plano, fora }) => fora || plano !== null)

function recordedText(one: Recorded, { momentText, forceUnit }: Shown): Said[] {
  const { linha, fora } = one
  const judged = judgedIn(one)
  return said([
    linha.forca !== null && {
      text: joined(
        unitText(`Força ${measureText(linha.forca)}`, forceUnit),
        measuredText(linha.forca, linha.forcaMedida),
        linha.forcaMin !== null && `mín. da ordem ${measureText(linha.forcaMin)}`,
      ),
      isBad: isBelowMinimum(linha),
    },
    linha.alturaMm !== null &&
      good(joined(`Altura ${millimetresText(linha.alturaMm)} mm`, measuredText(linha.alturaMm, linha.alturaMedida))),
    judged.length > 0 && good('Pelo plano:'),
    ...judged.map((reading) => verdictSaid(reading, reading.fora ? 'fora' : 'dentro', forceUnit)),
    ...fora.map((reading) => {
      const { text } = verdictSaid(reading, 'fora', forceUnit)
      return bad(joined(text, reading.em !== null && `medida em ${momentText(reading.em)}`))
    }),
  ])
}

/** Values of a recording that somebody measured, and no sample that it names shows: with what, nobody knows. */
function typedIn({ linha }: Recorded): Characteristic[] {
  const sampled = new Set((linha.medicoes ?? []).filter((one) => !one.digitada).map((one) => one.caracteristica))
  const typed: [Characteristic, number | null, boolean | null][] = [
    ['altura', linha.alturaMm, linha.alturaMedida],
    ['forca', linha.forca, linha.forcaMedida],
  ]
  return typed.flatMap(([one, value, isMeasured]) => (value === null || !isMeasured || sampled.has(one) ? [] : [one]))
}

function recordedWith(one: Recorded, { momentText, links }: Shown): string[] {
  const { linha } = one
  const typed = typedIn(one)
  const samples = links.samples.get(one.id) ?? []
  return [
    samples.length > 0 && `Medições usadas: ${samples.map(({ em }) => momentText(em)).join(', ')}`,
    typed.length > 0 && `Sem instrumento: ${characteristicsText(typed)} ${typed.length > 1 ? 'digitadas' : 'digitada'}`,
    labelled('Mini aplicador', linha.miniaplicador),
    labelled('Máquina', linha.maquina),
    labelled(
      linha.etapa === 'cabo' ? 'Cabo' : 'Terminal',
      joined(linha.codigo, linha.codigo !== '' && linha.bitolaMilli !== null && `${gaugeText(linha.bitolaMilli)} mm²`),
    ),
    labelled('Lote', linha.lote),
    labelled('Selo', linha.selo),
    linha.seladora,
  ].filter((text): text is string => !!text)
}

type Noted = Recorded['achados'][number]

/** 'Fora do plano: altura (com bloqueio)' */
export const notedText = ({ achado, caracteristicas, modo }: Noted): string =>
  `${[findingText(achado), characteristicsText(caracteristicas)].filter(Boolean).join(': ')} (${passedTexts[modo]})`

/** 'Fora do plano: altura (com bloqueio) · liberado por Rita Melo: Desvio 12/26' */
function noted(one: Noted, momentText: MomentText): Said[] {
  const { motivo, liberadoPor, motivoDaLiberacao } = one
  const released = liberadoPor && `liberado por ${liberadoPor}: ${motivoDaLiberacao}`
  const finding = joined(notedText(one), motivo, released, releaseNotes(one))
  return [bad(finding), ...standingSaid(one, momentText)]
}

const OWN_RELEASE = 'Liberado por quem apontou'
const NO_SAMPLES = 'Sem amostras'

function recordingCells(one: Recorded, shown: Shown): HistoryCells {
  const { linha } = one
  const pieces = linha.etapa === 'recebimento' ? '' : ` · ${piecesText(linha.pecas)}`
  return {
    title: `Apontamento: ${stepLabels[linha.etapa]}${pieces}`,
    moment: shown.momentText(one.em),
    notes: [lateText(one, shown.momentText)].filter(Boolean),
    values: recordedText(one, shown),
    means: recordedWith(one, shown),
    people: [linha.operador],
    outcome: said([
      good(situationLabels[linha.situacao]),
      linha.motivoForaDoLimite && bad(`Fora do mínimo: ${linha.motivoForaDoLimite}`),
      ...one.achados.flatMap((finding) => noted(finding, shown.momentText)),
    ]),
  }
}

/** 'Resolvido por Carlos em 26/11/2026 14:51: Desajuste, bigorna ajustada' */
function settledText(call: HistoryCall, momentText: MomentText): string {
  if (call.encerradoEm === null) return callStateTexts[call.situacao]
  const why = [call.causa, call.feito, call.motivo].filter(Boolean).join(', ')
  return `${callStateTexts[call.situacao]} por ${call.encerradoPor} em ${momentText(call.encerradoEm)}${why && `: ${why}`}`
}

const callCells = (one: HistoryCall, shown: Shown): HistoryCells => ({
  title: `Chamado ${one.numero}: ${one.assunto}`,
  moment: shown.momentText(one.em),
  notes: [],
  values: said([...one.medicoes.map((reading) => bad(`Por causa de: ${lookedText(reading, shown)}`)), good(one.nota)]),
  means: [labelled('Mini aplicador', one.miniaplicador), labelled('Máquina', one.maquina)].filter(Boolean),
  people: [one.abertoPor],
  outcome: said([
    one.atendidoEm !== null && good(`Atendido por ${one.atendidoPor} em ${shown.momentText(one.atendidoEm)}`),
    good(settledText(one, shown.momentText)),
  ]),
})

export const lookedText = (one: LookedReading, { momentText, forceUnit }: Pick<Shown, 'momentText' | 'forceUnit'>) =>
  one.em === null
    ? `${valuesText(one, forceUnit)}, digitada`
    : joined(judgedText(one, forceUnit), one.fora && verdictTexts.fora, `medida em ${momentText(one.em)}`)

function releaseCells(one: HistoryRelease, shown: Shown): HistoryCells {
  const { apontamento, olhadas, pecas } = one
  const used = apontamento === null ? null : shown.links.recordings.get(apontamento)
  return {
    title: 'Liberação',
    moment: shown.momentText(one.em),
    notes: [],
    values: (olhadas ?? []).map((reading) => ({
      text: `Olhou: ${lookedText(reading, shown)}`,
      isBad: reading.fora,
    })),
    means: [],
    people: [one.por],
    outcome: said([
      good(one.motivo),
      pecas !== null && good(`Até ${piecesText(pecas)}`),
      apontamento === null && good('Ainda não usada'),
      used !== null &&
        good(
          used
            ? `Usada no apontamento de ${shown.momentText(used.em)} (${piecesText(used.linha.pecas)})`
            : 'Usada em um apontamento que não está aqui',
        ),
      one.propria && bad(OWN_RELEASE),
      olhadas === null && bad(NO_SAMPLES),
    ]),
  }
}

const scrapCells = (one: HistoryScrap, { momentText }: Shown): HistoryCells => ({
  title: `${one.retrabalho ? 'Retrabalho' : 'Refugo'}: ${stepLabels[one.parte]} · ${piecesText(one.pecas)}`,
  moment: momentText(one.em),
  notes: [lateText(one, momentText)].filter(Boolean),
  values: [],
  means: [
    toolText(one.parte, one.miniaplicador),
    labelled('Máquina', one.maquina),
    labelled('Terminal', one.terminal),
    labelled('Lote', one.lote),
  ].filter(Boolean),
  people: [one.operador],
  outcome: said([
    good([one.motivoTexto, one.nota].filter(Boolean).join(': ')),
    !one.autorConfirmado && bad(findingText('autor-nao-confirmado')),
    one.desfeito && good(undoneText(one.desfeito, momentText)),
  ]),
})

const undoneText = ({ por, em, motivo }: NonNullable<HistoryScrap['desfeito']>, momentText: MomentText): string =>
  `Desfeito por ${por} em ${momentText(em)}${motivo && `: ${motivo}`}`

/** One look on the screen and on paper. */
export function historyCells(entry: HistoryEntry, shown: Shown): HistoryCells {
  switch (entry.tipo) {
    case 'medicao':
      return sampleCells(entry, shown)
    case 'apontamento':
      return recordingCells(entry, shown)
    case 'chamado':
      return callCells(entry, shown)
    case 'liberacao':
      return releaseCells(entry, shown)
    case 'refugo':
      return scrapCells(entry, shown)
  }
}

export const CUT_TEXT = 'O mais antigo ficou de fora: é história demais para uma página.'
