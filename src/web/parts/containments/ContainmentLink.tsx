import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { links } from '../../text/links.ts'

/** To a containment, by its number or what it is for. */
export const ContainmentLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link
    to={links.containment}
    params={{ id }}
    className="inline-flex min-h-11 items-center font-medium text-brand-ink underline decoration-current/40 underline-offset-4 hover:decoration-current"
  >
    {children}
  </Link>
)
