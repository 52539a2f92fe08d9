import { type ScrapReason, type ScrapStage, scrapStages } from '../../contract/scrap-reasons.ts'
import { barcodeSvg } from '../text/code-128.ts'
import { html } from '../text/html.ts'
import { printedReason } from '../text/printed-reasons.ts'
import { offeredReasons, partsOfStage } from './scraps.ts'

export const stageNames: Record<ScrapStage | 'todas', string> = {
  corte: 'Corte',
  crimpagem: 'Crimpagem',
  juncao: 'Junção',
  todas: 'Todas',
}

/** The whole look of the sheet; the answer that carries it allows this very text and no other. */
export const REASON_SHEET_STYLE = `
@page { size: A4; margin: 12mm }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 8px; max-width: 760px; font: 11pt/1.3 sans-serif; color: #000; background: #fff }
section { break-after: page; margin-bottom: 12mm }
section:last-child { break-after: auto; margin-bottom: 0 }
h1 { margin: 0 0 4mm; font-size: 16pt; border-bottom: 2px solid #000; padding-bottom: 2mm }
h1 span { float: right; font-size: 10pt; font-weight: normal }
ul { margin: 0; padding: 0; list-style: none; display: grid; grid-template-columns: 1fr 1fr; gap: 5mm 10mm }
li { break-inside: avoid }
li.wide { grid-column: 1 / -1 }
li b { display: block }
li small { color: #444 }
svg { display: block; width: 100%; height: 13mm }
`

type Printed = Pick<ScrapReason, 'codigo' | 'texto' | 'etapa' | 'ativo' | 'posicao'>

/** More would have modules of less than 0.25 mm in a column of the page, too fine for a reader from the hand. */
const COLUMN_CHARACTERS_MAX = 27

const classOf = (text: string): string => (text.length > COLUMN_CHARACTERS_MAX ? ' class="wide"' : '')

const line = ({ codigo, texto }: Printed): string =>
  `<li${classOf(printedReason(codigo))}><b>${html(texto)}</b>${barcodeSvg(printedReason(codigo))}<small>${html(printedReason(codigo))}</small></li>`

/** A page for each stage, with the reasons that may be chosen there. */
export const reasonSheet = (reasons: readonly Printed[], siteName: string): string => `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Motivos de refugo</title><style>${REASON_SHEET_STYLE}</style></head>
<body>
${scrapStages
  .map((stage) => {
    const [part = 'cabo'] = partsOfStage(stage)
    const offered = offeredReasons(reasons, part)
    return `<section><h1>Motivos de refugo: ${stageNames[stage]}<span>${html(siteName)}</span></h1><ul>
${offered.map(line).join('\n')}
</ul></section>`
  })
  .join('\n')}
</body>
</html>
`
