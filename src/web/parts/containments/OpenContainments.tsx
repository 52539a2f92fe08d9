import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { openText } from '../../../domain/containments/containment-texts.ts'
import { links } from '../../text/links.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { useOpenContainments } from './contained.ts'

/** In the header, for who may decide: how many wait for a decision. */
export function OpenContainments() {
  const count = useOpenContainments()
  const text = openText(count)
  return (
    count > 0 && (
      <Link
        to={links.reports}
        search={{ aba: 'contencoes' }}
        title={text}
        aria-label={text}
        className="flex h-11 items-center focus-visible:outline-header-focus"
      >
        <span className="flex h-8 items-center gap-1 rounded-full bg-warn-soft px-2 text-sm font-semibold text-warn-ink">
          <ShieldAlert {...icon.sm} />
          <span className="@max-[88rem]:hidden">Contenções abertas:</span> {count}
        </span>
      </Link>
    )
  )
}
