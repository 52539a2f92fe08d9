import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import type { SubjectKind } from '../../../contract/containments.ts'
import type { Characteristic } from '../../../contract/measurements.ts'
import { links, NEW } from '../../text/links.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { useMay } from '../permissions.tsx'
import { useKnowsContainments } from './contained.ts'

/** A reading outside, of one or several characteristics, or what is named by hand. */
export type SuspectSubject =
  | { medicao: string; caracteristicas: readonly Characteristic[] }
  | { tipo: SubjectKind; termo: string; filial?: string }

/** As the screen of suspect pieces reads it. */
export const suspectSearch = (subject: SuspectSubject): Record<string, string> =>
  'medicao' in subject
    ? { medicao: subject.medicao, caracteristica: subject.caracteristicas.join(',') }
    : { ...subject }

type Props = {
  subject: SuspectSubject
  text?: string
  /** Where several links stand in a list: what this one is about. */
  label?: string
  /** Operators press it with gloves on. */
  isLarge?: boolean
}

/** To the pieces under suspicion; where nobody knows containments, or may open any, there is none. */
export function SuspectLink({ subject, text = 'Abrir contenção', label, isLarge = false }: Props) {
  const mayOpen = useMay('record')
  const isKnown = useKnowsContainments()
  return (
    mayOpen &&
    isKnown && (
      <Link
        to={links.containment}
        params={{ id: NEW }}
        search={suspectSearch(subject)}
        aria-label={label && `${text}: ${label}`}
        className={`inline-flex items-center gap-1 font-medium text-brand-ink underline decoration-current/40 underline-offset-4 hover:decoration-current ${isLarge ? 'min-h-14' : 'min-h-11'}`}
      >
        <ShieldAlert {...icon.sm} className="shrink-0" />
        {text}
      </Link>
    )
  )
}
