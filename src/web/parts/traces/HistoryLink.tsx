import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { links } from '../../text/links.ts'
import { icon } from '../../ui/icon-sizes.ts'

/** As samples, recordings and findings name it. */
type HistoryPlace = { filial: string; parte: string; ordem: string; codigoBarras: string; posicao: string }

const searchOf = ({ filial, parte, ordem, codigoBarras, posicao }: HistoryPlace, act: string | undefined) => ({
  filial,
  ...(parte === 'juncao' ? { ordem, posicao } : { codigoBarras }),
  parte,
  ...(act === undefined ? {} : { ato: act }),
})

type Props = {
  place: HistoryPlace
  /** Act that stands out there: a sample or a recording. */
  act?: string
  /** Where several links stand in a row: what this one is of. */
  label?: string
  /** In place of its name: what it leads to. */
  text?: string
  /** The link tells of something bad: red, as other words of it. */
  isBad?: boolean
}

/** To all that was measured at an end. Cable and receipts have no end. */
export const HistoryLink = ({ place, act, label, text, isBad = false }: Props) =>
  ['l1', 'l2', 'juncao'].includes(place.parte) && (
    <Link
      to={links.endHistory}
      search={searchOf(place, act)}
      aria-label={label && `História da medição: ${label}`}
      className={`inline-flex min-h-11 items-center gap-1 font-medium underline decoration-current/40 underline-offset-4 hover:decoration-current ${isBad ? 'text-bad-ink' : 'text-brand-ink'}`}
    >
      {text === undefined && <History {...icon.sm} className="shrink-0" />}
      {text ?? 'História da medição'}
    </Link>
  )
