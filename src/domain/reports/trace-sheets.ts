import type { Trace, TraceFilter, TraceKind, TraceLine, TraceSample } from '../../contract/traces.ts'
import { html } from '../text/html.ts'
import { countedText } from '../text/numbers.ts'
import { sampleSituationText, sampleStepText, type TraceEntry } from './trace-entries.ts'
import {
  containmentTexts,
  filterLabels,
  gaugeText,
  isBelowMinimum,
  isOutsidePlan,
  kindLabels,
  type MomentText,
  measuredText,
  measureText,
  millimetresText,
  planLines,
  requiredText,
  situationLabels,
  stageScrapText,
  stepLabels,
} from './traces.ts'

/** The whole look of the sheet; the answer that carries it allows this very text and no other. */
export const SHEET_STYLE = `
@page { size: A4 landscape; margin: 10mm; @bottom-right { content: "Página " counter(page) " de " counter(pages); font: 8pt sans-serif } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 8px; max-width: 1100px; font: 9pt/1.3 sans-serif; color: #000; background: #fff }
header { display: flex; justify-content: space-between; gap: 24px; border-bottom: 2px solid #000; padding-bottom: 6px }
h1 { margin: 0; font-size: 16pt }
dl { display: grid; grid-template-columns: repeat(4, auto); gap: 4px 24px; margin: 8px 0 }
dt { font-size: 8pt; color: #444 }
dd { margin: 0; font-weight: bold; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse }
thead { display: table-header-group }
tr { break-inside: avoid }
th, td { border: 1px solid #888; padding: 2px 4px; text-align: left; vertical-align: top; font-size: 7.5pt }
td { overflow-wrap: anywhere }
th { background: #eee }
th.quarter { width: 25% }
td.number { text-align: right }
.number, .whole { white-space: nowrap }
td span { display: block }
.unmeasured { font-weight: bold }
.decision { break-inside: avoid; margin-top: 16px }
.decision td { height: 48px; width: 33% }
.broken { border: 2px solid #000; padding: 8px; font-weight: bold }
body:has(#fim) .broken { display: none }
#fim { font-weight: bold; break-before: avoid }
`

const recordingsText = (count: number) => countedText(count, 'apontamento', 'apontamentos')

export type SheetHead = {
  siteName: string
  kind: TraceKind
  term: string
  filter: TraceFilter | undefined
  /** As people call them. */
  plants: readonly string[]
  requestedBy: string
  moment: string
  counts: Trace['contagens']
  forceUnit: string
}

export const sheetFact = (name: string, value: string) => `<div><dt>${html(name)}</dt><dd>${html(value)}</dd></div>`

/** The beginning of each sheet. One that ends before its last line says that it is incomplete. */
export const sheetStart = (title: string, siteName: string): string => `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${SHEET_STYLE}</style></head>
<body>
<header><h1>${title}</h1><div>Painel Industrial · ${html(siteName)}</div></header>
<p class="broken">Folha incompleta. Espere até o fim ou tente novamente; não use assim.</p>
`

/** Begins the lines. */
export const sheetTable = (forceUnit: string): string => `<table>
<thead><tr>${[
  'Data e hora',
  'Etapa e situação',
  'Filial',
  'Ordem e item',
  'Código de barras ou posição',
  'Peças',
  'Material',
  'Lote',
  'Selo e seladora',
  'Mini aplicador',
  'Máquina',
  'Operador',
  `Força (${forceUnit})`,
  'Altura (mm)',
  'Bitola (mm²)',
  'Plano',
]
  .map((name) => `<th scope="col">${html(name)}</th>`)
  .join('')}</tr></thead>
<tbody>
`

/** Everything before the lines. */
export const sheetHead = ({
  counts,
  ...head
}: SheetHead): string => `${sheetStart('Folha de contenção', head.siteName)}<dl>
${[
  sheetFact(kindLabels[head.kind], head.term),
  sheetFact('Filiais', head.plants.join(', ') || '—'),
  sheetFact('Solicitada por', head.requestedBy),
  sheetFact('Data e hora', head.moment),
  sheetFact('Apontamentos', recordingsText(counts.apontamentos)),
  sheetFact('Itens', countedText(counts.itens, 'item', 'itens')),
  sheetFact('Ordens', countedText(counts.ordens, 'ordem', 'ordens')),
  ...(head.filter ? [sheetFact('Somente', filterLabels[head.filter])] : []),
  sheetFact('Peças apontadas', countedText(counts.pecas, 'peça', 'peças')),
].join('\n')}
</dl>
${sheetTable(head.forceUnit)}`

/** One under the other. */
const both = (...texts: string[]) => texts.flatMap((text) => (text === '' ? [] : `<span>${html(text)}</span>`)).join('')

/** One under the other: the value, whether somebody measured it, what is asked of it. `wrong`: what is wrong with it. */
const measureCell = (value: string, said: string, required: string, wrong = '') => {
  const why = wrong === '' ? '' : `<span class="unmeasured">${html(wrong)}</span>`
  return `<td${wrong === '' ? ' class="whole"' : ''}>${both(value)}<span${said === 'medido' ? '' : ' class="unmeasured"'}>${said}</span>${both(required)}${why}</td>`
}

const forceCell = (line: TraceLine) => {
  const required = requiredText(line.forca, measureText(line.forcaMin))
  const wrong = isBelowMinimum(line) ? ['fora do mínimo', line.motivoForaDoLimite].filter(Boolean).join(': ') : ''
  return measureCell(
    measureText(line.forca),
    measuredText(line.forca, line.forcaMedida),
    required && `mín. ${required}`,
    wrong,
  )
}

const heightCell = (line: TraceLine) => {
  const required = requiredText(line.alturaMm, millimetresText(line.alturaNominalMm))
  const said = measuredText(line.alturaMm, line.alturaMedida)
  return measureCell(millimetresText(line.alturaMm), said, required && `nominal ${required}`)
}

const cell = (...texts: string[]) => `<td>${both(...texts)}</td>`
/** For what is short enough and would be misread in two halves. */
const wholeCell = (...texts: string[]) => `<td class="whole">${both(...texts)}</td>`

const planCell = (line: Pick<TraceLine, 'medicoes'>) => {
  const [verdict = '', ...outside] = planLines(line)
  if (!isOutsidePlan(line)) return cell(verdict)
  return `<td><span class="unmeasured">${html(verdict)}</span>${both(...outside)}</td>`
}

const sheetLine = (line: TraceLine, momentText: MomentText): string =>
  [
    `<tr>${wholeCell(...momentText(line.registradoEm).split(' '))}`,
    cell(stepLabels[line.etapa], situationLabels[line.situacao], stageScrapText(line), ...containmentTexts(line)),
    wholeCell(line.filial),
    wholeCell(line.ordem, line.item),
    wholeCell(line.barras, line.posicao),
    `<td class="number">${line.etapa === 'recebimento' ? '' : line.pecas}</td>`,
    cell(line.codigo),
    cell(line.lote),
    cell(line.selo, line.seladora),
    cell(line.miniaplicador),
    cell(line.maquina),
    cell(line.operador),
    forceCell(line),
    heightCell(line),
    wholeCell(gaugeText(line.bitolaMilli)),
    planCell(line),
    '</tr>\n',
  ].join('')

const sheetSample = (sample: TraceSample, momentText: MomentText): string =>
  [
    `<tr>${wholeCell(...momentText(sample.medidoEm).split(' '))}`,
    cell(sampleStepText(sample), sampleSituationText(sample)),
    wholeCell(sample.filial),
    wholeCell(sample.ordem, sample.item),
    wholeCell(sample.barras, sample.posicao),
    cell(),
    cell(sample.terminal),
    cell(sample.lote),
    cell(),
    cell(sample.miniaplicador),
    cell(sample.maquina),
    cell(sample.operador),
    `<td colspan="2">${both(...sample.medicoes.map(({ medido }) => medido))}</td>`,
    wholeCell(gaugeText(sample.bitolaMilli)),
    planCell(sample),
    '</tr>\n',
  ].join('')

export const sheetLines = (entries: readonly TraceEntry[], momentText: MomentText): string =>
  entries
    .map((entry) => ('line' in entry ? sheetLine(entry.line, momentText) : sheetSample(entry.sample, momentText)))
    .join('')

/** A recording made while the sheet was read is among its lines but not in its head. */
export const sheetEnd = (written: number, announced: number): string => `</tbody>
</table>
${written === announced ? '' : `<p>Houve mudanças durante a leitura: o cabeçalho conta ${recordingsText(announced)}.</p>\n`}<table class="decision">
<thead><tr><th scope="col">Responsável</th><th scope="col">Disposição</th><th scope="col">Data</th></tr></thead>
<tbody><tr><td></td><td></td><td></td></tr></tbody>
</table>
<p id="fim">Fim da folha: ${recordingsText(written)}</p>
</body>
</html>
`
