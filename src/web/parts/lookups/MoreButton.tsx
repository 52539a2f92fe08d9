import { ChevronDown, ChevronUp } from 'lucide-react'
import { icon } from '../../ui/icon-sizes.ts'

/** Opens what one line has no room for. */
export const MoreButton = ({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) => (
  <button
    type="button"
    aria-expanded={isOpen}
    onClick={onPress}
    className="-my-2 inline-flex min-h-11 shrink-0 items-center gap-1 rounded-md px-2 font-semibold text-brand-ink hover:bg-brand-soft"
  >
    {isOpen ? 'menos' : 'mais'}
    {isOpen ? <ChevronUp {...icon.sm} /> : <ChevronDown {...icon.sm} />}
  </button>
)
