import type { EndHistory, HistoryEnd, HistoryEntry, HistorySample } from '../../contract/end-histories.ts'
import { actionTexts, occasionTexts } from '../quality/measuring.ts'
import { passedTexts } from '../quality/plan-gate.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'
import { callStateTexts } from '../tools/maintenance-calls.ts'
import {
  CUT_TEXT,
  endText,
  findingText,
  type HistoryCells,
  historyCells,
  type Said,
  verdictTexts,
} from './end-histories.ts'
import { characteristicTexts } from './spc-names.ts'
import { html, sheetFact, sheetStart } from './trace-sheets.ts'
import { gaugeText, type MomentText, measureText, millimetresText, situationLabels, stepLabels } from './traces.ts'

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
}

const ofSample =
  (pick: (one: HistorySample) => string) =>
  ({ entry }: Line) =>
    entry.tipo === 'medicao' ? pick(entry) : ''

type Recorded = Extract<HistoryEntry, { tipo: 'apontamento' }>
const ofRecording =
  (pick: (one: Recorded) => string) =>
  ({ entry }: Line) =>
    entry.tipo === 'apontamento' ? pick(entry) : ''

const whoOf = ({ entry }: Line): string =>
  entry.tipo === 'medicao'
    ? entry.operador
    : entry.tipo === 'apontamento'
      ? entry.linha.operador
      : entry.tipo === 'liberacao'
        ? entry.por
        : entry.abertoPor

const toolOf = ({ entry }: Line): string =>
  entry.tipo === 'apontamento' ? entry.linha.miniaplicador : entry.tipo === 'liberacao' ? '' : entry.miniaplicador

const machineOf = ({ entry }: Line): string =>
  entry.tipo === 'apontamento' ? entry.linha.maquina : entry.tipo === 'liberacao' ? '' : entry.maquina

const lotOf = ({ entry }: Line): string =>
  entry.tipo === 'medicao' ? entry.lote : entry.tipo === 'apontamento' ? entry.linha.lote : ''

const materialOf = ({ entry }: Line): string =>
  entry.tipo === 'medicao' ? entry.terminal : entry.tipo === 'apontamento' ? entry.linha.codigo : ''

const delayed = ({ entry }: Line) => (entry.tipo === 'medicao' || entry.tipo === 'apontamento' ? entry : null)

const findingsOf = ({ entry }: Line): string =>
  entry.tipo === 'medicao'
    ? entry.achados.map(findingText).join(' · ')
    : entry.tipo === 'apontamento'
      ? entry.achados.map(({ achado, modo }) => `${findingText(achado)} (${passedTexts[modo]})`).join(' · ')
      : ''

const reasonsOf = ({ entry }: Line): string =>
  entry.tipo === 'liberacao'
    ? entry.motivo
    : entry.tipo === 'chamado'
      ? entry.nota
      : entry.tipo === 'apontamento'
        ? [entry.linha.motivoForaDoLimite, ...entry.achados.map(({ motivo }) => motivo)].filter(Boolean).join(' · ')
        : ''

const situationOf = ({ entry }: Line): string =>
  entry.tipo === 'medicao'
    ? entry.invalida
      ? 'Invalidada'
      : entry.conta
        ? 'Vale'
        : 'Não conta'
    : entry.tipo === 'apontamento'
      ? situationLabels[entry.linha.situacao]
      : entry.tipo === 'chamado'
        ? callStateTexts[entry.situacao]
        : entry.apontamento === null
          ? 'Não usada'
          : 'Usada'

/** One column for each fact that the sheet says in words; typed texts are cells of text. */
export function historyColumns(momentText: MomentText): CsvColumns<Line> {
  const moment = (instant: string | null) => (instant === null ? '' : momentText(instant))
  const plan = ({ reading, entry }: Line): string => {
    if (reading) return reading.plano === null ? '' : `v${reading.plano}`
    if (entry.tipo !== 'apontamento') return ''
    const versions = (entry.linha.medicoes ?? []).flatMap(({ plano }) => (plano === null ? [] : [`v${plano}`]))
    return [...new Set(versions)].join(' · ')
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
    ['Etapa', ofRecording(({ linha }) => stepLabels[linha.etapa])],
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
    ['Peças', ofRecording(({ linha }) => (linha.etapa === 'recebimento' ? '' : String(linha.pecas)))],
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
  ]
}

const samplesOf = ({ entry }: Line, of: 'medido' | 'exigido'): string =>
  entry.tipo === 'apontamento'
    ? [...new Set((entry.linha.medicoes ?? []).map((sample) => sample[of]).filter(Boolean))].join(' · ')
    : ''

function verdictOf({ reading, entry }: Line): string {
  if (reading) return verdictTexts[reading.veredito]
  if (entry.tipo !== 'apontamento') return ''
  const judged = (entry.linha.medicoes ?? []).filter(({ plano, fora }) => fora || plano !== null)
  return judged.some(({ fora }) => fora) ? verdictTexts.fora : judged.length > 0 ? verdictTexts.dentro : ''
}

type HistorySheetHead = {
  siteName: string
  /** As people call it. */
  plant: string
  requestedBy: string
  moment: string
  forceUnit: string
}

const spans = (texts: readonly (string | Said)[]): string =>
  texts
    .map((one) => (typeof one === 'string' ? good(one) : one))
    .map(({ text, isBad }) => `<span${isBad ? ' class="unmeasured"' : ''}>${html(text)}</span>`)
    .join('')
const good = (text: string): Said => ({ text, isBad: false })

const row = ({ title, moment, late, values, means, people, outcome }: HistoryCells): string =>
  `<tr><td>${spans([moment, title, ...(late === '' ? [] : [{ text: late, isBad: true }])])}</td>${[
    values,
    means,
    people,
    outcome,
  ]
    .map((texts) => `<td>${spans(texts)}</td>`)
    .join('')}</tr>\n`

/** The whole sheet: one end has no more than fits into memory. In the style of the trace's. */
export function historySheet(history: EndHistory, head: HistorySheetHead, momentText: MomentText): string {
  const { extremo, entradas, cortado } = history
  const rows = entradas.map((entry) => row(historyCells(entry, { momentText, forceUnit: head.forceUnit })))
  const count = `${entradas.length.toLocaleString('pt-BR')} ${entradas.length === 1 ? 'linha' : 'linhas'}`
  return `${sheetStart('História da medição', head.siteName)}<dl>
${[
  sheetFact('Filial', `${extremo.filial} ${head.plant}`.trim()),
  sheetFact('Ordem', extremo.ordem || '—'),
  ...(extremo.posicao === ''
    ? [sheetFact('Item', extremo.item || '—'), sheetFact('Código de barras', extremo.codigoBarras)]
    : [sheetFact('Posição', extremo.posicao)]),
  sheetFact('Extremo', endText(extremo)),
  sheetFact('Solicitada por', head.requestedBy),
  sheetFact('Data e hora', head.moment),
].join('\n')}
</dl>
${cortado ? `<p class="unmeasured">${CUT_TEXT}</p>\n` : ''}<table>
<thead><tr><th scope="col">Quando e o quê</th><th scope="col">Valores, limites e veredito</th><th scope="col" class="quarter">Instrumento, ferramenta e material</th><th scope="col">Quem</th><th scope="col">O que foi feito</th></tr></thead>
<tbody>
${rows.join('')}</tbody>
</table>
<p id="fim">Fim da história: ${count}</p>
</body>
</html>
`
}
