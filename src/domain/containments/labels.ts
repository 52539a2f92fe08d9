import { barcodeSvg } from '../text/code-128.ts'
import { html } from '../text/html.ts'
import { countText } from '../text/numbers.ts'

/** The whole look of the labels, 100 x 70 mm each; the answer that carries it allows this very text and no other. */
export const LABEL_STYLE = `
@page { size: 100mm 70mm; margin: 0 }
* { box-sizing: border-box }
body { margin: 0; font: 8.5pt/1.2 sans-serif; color: #000; background: #fff }
section { width: 100mm; height: 70mm; padding: 1.5mm 2mm; overflow: hidden; display: flex; flex-direction: column; justify-content: space-between; break-after: page }
section:last-of-type { break-after: auto }
.broken { padding: 8mm; font: bold 14pt sans-serif; white-space: normal }
section ~ #fim, body:has(#fim) .broken { display: none }
h1 { margin: 0; font-size: 36pt; line-height: .95; text-align: center; letter-spacing: -.02em }
div { display: flex; gap: 3mm }
div > * { flex: 1; min-width: 0 }
p { margin: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.wide { flex: 2 }
.large { font-size: 11pt; font-weight: bold }
svg { display: block; height: 7.5mm; margin-left: -2mm }
`

/** The same on each label of a containment. `number`: 'C-000123'. */
export type LabelHead = { number: string; reason: string; openedBy: string; openedDay: string }

/** A junction has an order and a position in place of a barcode. `stage` as people call it. */
export type LabelRow = {
  orderNumber: string
  item: string
  barcode: string
  position: string
  stage: string
  pieces: number
}

const line = (name: string, value: string) => `<p>${name}: <b>${html(value)}</b></p>`

const place = ({ barcode, position, orderNumber, item }: LabelRow): string =>
  barcode === ''
    ? `<p class="large">Ordem ${html(orderNumber)} · Posição ${html(position)}</p>`
    : `<div>${line('Ordem', orderNumber)}${line('Item', item || '—')}</div><div><span>${barcodeSvg(barcode)}<p>${html(barcode)}</p></span></div>`

const label = (head: LabelHead, row: LabelRow): string => `<section>
<h1>SUSPEITO - NÃO USAR</h1>
<div><span class="wide"><p class="large">Contenção ${html(head.number)}</p>${barcodeSvg(head.number)}</span><span><p class="large">Peças: ${countText(row.pieces)}</p><p>${html(row.stage)}</p><p>${html(head.openedDay)}</p></span></div>
${place(row)}
<p class="large">${html(head.reason)}</p>
<div><p class="wide">Aberta por: ${html(head.openedBy || '—')}</p><p><b>Devolver à qualidade</b></p></div>
</section>
`

/** One that ends before its last label says that labels are missing. */
export const labelStart = ({ number }: Pick<LabelHead, 'number'>): string => `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Etiquetas ${html(number)}</title><style>${LABEL_STYLE}</style></head>
<body>
<p class="broken">Faltam etiquetas. Espere até o fim ou tente novamente.</p>
`

/** A page for each copy, in the order of rows. */
export const labels = (head: LabelHead, rows: readonly LabelRow[], copies: number): string =>
  rows.flatMap((row) => Array.from({ length: copies }, () => label(head, row))).join('')

export const labelEnd = `<p id="fim">Não há mais etiquetas.</p>
</body>
</html>
`
