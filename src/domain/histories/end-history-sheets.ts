import type { EndHistory, HistoryEnd } from '../../contract/end-histories.ts'
import { sheetFact, sheetStart } from '../reports/trace-sheets.ts'
import { type MomentText, situationLabels, stepLabels } from '../reports/traces.ts'
import { html } from '../text/html.ts'
import { countedText, countText, piecesText } from '../text/numbers.ts'
import { CUT_TEXT, endText, good, type HistoryCells, historyCells, joined, type Said } from './end-histories.ts'
import { historyLinks, ofKind, type Recorded } from './end-history-links.ts'

/** Facts of the whole history, at its head. */
export function historySummary({ entradas }: Pick<EndHistory, 'entradas'>, momentText: MomentText): [string, string][] {
  const measured = ofKind(entradas, 'medicao').filter(({ digitada, conta }) => !digitada && conta)
  const samples = measured.filter(({ invalida }) => !invalida)
  const invalidCount = measured.length - samples.length
  const recordings = ofKind(entradas, 'apontamento')
  const outside = samples.filter(({ leituras }) => leituras.some(({ veredito }) => veredito === 'fora'))
  const openSamples = samples.filter(({ situacao }) => situacao === 'aberta').length
  const noted = recordings.filter(({ achados }) => achados.length > 0)
  const openNoted = noted.filter(({ achados }) => achados.some(({ situacao }) => situacao === 'aberta')).length
  const thrown = ofKind(entradas, 'refugo').filter(
    ({ desfeito, autorConfirmado, retrabalho }) => !desfeito && autorConfirmado && !retrabalho,
  )
  const steps = Map.groupBy(recordings, ({ linha }) => linha.etapa)
  const last = recordings.at(-1)
  return [
    [
      'Medições',
      [
        countText(samples.length),
        ...(samples.length > 0 && outside.length === 0 ? ['nenhuma fora'] : []),
        ...outText(outside.length, 'fora', openSamples),
        ...(invalidCount > 0 ? [countedText(invalidCount, 'invalidada', 'invalidadas')] : []),
      ].join(', '),
    ],
    [
      'Apontamentos',
      [
        [...steps].map(([step, some]) => `${stepLabels[step]}: ${stepText(step, some)}`).join(', ') || 'nenhum',
        outText(noted.length, 'em Ocorrências', openNoted).join(', '),
      ]
        .filter(Boolean)
        .join('; '),
    ],
    ['Refugo', thrown.length === 0 ? 'nenhum' : piecesText(thrown.reduce((sum, { pecas }) => sum + pecas, 0))],
    [
      'Último apontamento',
      last ? `${stepLabels[last.linha.etapa]}: ${situationLabels[last.linha.situacao]}, ${momentText(last.em)}` : '—',
    ],
  ]
}

/** '3 fora', '1 em aberto'; none of what there is nothing of. */
const outText = (count: number, word: string, openCount: number): string[] =>
  [count > 0 && `${countText(count)} ${word}`, openCount > 0 && `${countText(openCount)} em aberto`].filter(
    (text) => text !== false,
  )

/** '4 (500 peças)'; a receipt is of the whole order. */
const stepText = (step: Recorded['linha']['etapa'], some: readonly Recorded[]): string =>
  step === 'recebimento'
    ? countText(some.length)
    : `${countText(some.length)} (${piecesText(some.reduce((sum, { linha }) => sum + linha.pecas, 0))})`

/** The subject of a history, fact by fact. `plant`: as people call it. */
export const historyFacts = (end: HistoryEnd, plant: string): [string, string][] => [
  ['Filial', `${end.filial} ${plant}`.trim()],
  ['Ordem', end.ordem || '—'],
  ...(end.posicao === ''
    ? ([
        ['Item', end.item || '—'],
        ['Código de barras', end.codigoBarras],
      ] as [string, string][])
    : ([['Posição', end.posicao]] as [string, string][])),
  ['Extremo', endText(end)],
  ['Terminal', end.terminal || '—'],
]

/** At the top of each page: a loose sheet says of what it is. */
export const runningText = (end: HistoryEnd, plant: string, moment: string): string =>
  joined(
    'História da medição',
    end.ordem && `OP ${end.ordem}`,
    end.item && `Item ${end.item}`,
    end.codigoBarras,
    end.posicao && `Posição ${end.posicao}`,
    endText(end),
    end.terminal,
    `${end.filial} ${plant}`.trim(),
    `impressa em ${moment}`,
  )

export const historyHeads = [
  'Quando e o quê',
  'Valores, limites e veredito',
  'Instrumento, ferramenta e material',
  'Quem',
  'O que foi feito',
] as const

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

const row = ({ title, moment, notes, values, means, people, outcome }: HistoryCells): string =>
  `<tr><td>${spans([moment, title, ...notes.map((text) => ({ text, isBad: true }))])}</td>${[
    values,
    means,
    people,
    outcome,
  ]
    .map((texts) => `<td>${spans(texts)}</td>`)
    .join('')}</tr>\n`

/** The last row of the table: alone on the last page it still has the table's head above it, which says of what it is. */
export const endingText = ({ entradas }: EndHistory): string =>
  `Fim da história: ${countedText(entradas.length, 'linha', 'linhas')}`

/** The whole sheet: one end has no more than fits into memory. In the style of the trace's. */
export function historySheet(history: EndHistory, head: HistorySheetHead, momentText: MomentText): string {
  const { extremo, entradas, cortado } = history
  const shown = {
    ...{ part: extremo.parte, forceUnit: head.forceUnit },
    ...{ momentText, links: historyLinks(entradas) },
  }
  const rows = entradas.map((entry) => row(historyCells(entry, shown)))
  const facts = [
    ...historyFacts(extremo, head.plant),
    ['Solicitada por', head.requestedBy] as const,
    ['Data e hora', head.moment] as const,
    ...historySummary(history, momentText),
  ]
  const running = html(runningText(extremo, head.plant, head.moment))
  const heads = historyHeads.map((name, at) => `<th scope="col"${at === 2 ? ' class="quarter"' : ''}>${name}</th>`)
  return `${sheetStart('História da medição', head.siteName)}<dl>
${facts.map(([name, value]) => sheetFact(name, value)).join('\n')}
</dl>
${cortado ? `<p class="unmeasured">${CUT_TEXT}</p>\n` : ''}<table>
<thead><tr><th colspan="${heads.length}">${running}</th></tr><tr>${heads.join('')}</tr></thead>
<tbody>
${rows.join('')}<tr><td id="fim" colspan="${heads.length}">${endingText(history)}</td></tr>
</tbody>
</table>
</body>
</html>
`
}
