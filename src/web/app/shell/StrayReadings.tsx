import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { CircleAlert, ScanBarcode, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { readContainmentNumber } from '../../../domain/containments/balances.ts'
import { useOpenRead } from '../../parts/containments/useOpenRead.ts'
import { lastItemSearch, searchAsRead } from '../../parts/lookups/items.ts'
import { MeaningLine } from '../../parts/scanner/MeaningLine.tsx'
import { playSound } from '../../parts/scanner/sounds.ts'
import { useStrayReadings } from '../../parts/scanner/useScanner.ts'
import { type Meaning, meaningOf } from '../../parts/scanner/what-it-is.ts'
import { useSettings } from '../../parts/settings.ts'
import { isServerSilent } from '../../server/api.ts'
import { links } from '../../text/links.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

/** A number that may be an order nothing was recorded for: the search knows. */
const looksLikeOrder = (term: string) => /^\d{6,15}$/.test(term)

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null

type Answer = { path: string } & ({ meaning: Meaning } | { refusal: string })

/** Answers a reading that no field takes, on every screen that does not answer by itself: no reading is silent. */
export function StrayReadings() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const openRead = useOpenRead()
  const { plants } = useSettings()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [answer, setAnswer] = useState<Answer | null>(null)
  const newest = useRef('')

  const refuse = (refusal: string) => {
    playSound('bad')
    setAnswer({ path, refusal })
  }
  const leave = (go: () => void) => {
    if (isDialogOpen()) return refuse('Feche a janela para abrir o que foi lido.')
    setAnswer(null)
    go()
  }
  const search = (plant: string, term: string) =>
    leave(() => {
      searchAsRead({ plant, term })
      void navigate({ to: links.cutCrimp })
    })
  const take = async (term: string) => {
    newest.current = term
    const plant = lastItemSearch()?.plant ?? plants[0]?.code ?? ''
    if (term.length === BARCODE_LENGTH) return search(plant, term)
    if (readContainmentNumber(term) !== null) return leave(() => void openRead(term))
    const meaning = await meaningOf(client, plant, term).catch(() => null)
    if (newest.current !== term) return
    if (meaning?.kind === 'ordem' || (!meaning && looksLikeOrder(term))) return search(plant, term)
    if (!meaning)
      return refuse(isServerSilent() ? `Sem rede: ${term} não é conhecido aqui.` : `${term} não é conhecido.`)
    playSound('good')
    setAnswer({ path, meaning })
  }
  useStrayReadings(({ text, fresh }) => {
    if (fresh) void take(text.trim())
  })

  const shown = answer?.path === path ? answer : null
  return (
    <div
      role="status"
      aria-label="Leitura"
      className="fixed inset-x-3 top-[calc(4.5rem+var(--banner-height))] z-30 mx-auto flex max-w-2xl items-center gap-3 rounded-lg border border-edge bg-surface py-1 pr-1 pl-4 shadow-float empty:hidden"
    >
      {shown && (
        <>
          {'meaning' in shown ? <ScanBarcode {...icon.md} /> : <CircleAlert {...icon.md} className="text-bad-ink" />}
          <div className="min-w-0 flex-1 py-1">
            {'meaning' in shown ? (
              <MeaningLine {...shown.meaning} />
            ) : (
              <span className="font-semibold wrap-anywhere text-bad-ink">{shown.refusal}</span>
            )}
          </div>
          <IconButton label="Fechar" icon={<X {...icon.md} />} onPress={() => setAnswer(null)} />
        </>
      )}
    </div>
  )
}
