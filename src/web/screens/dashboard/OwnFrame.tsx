import type { ReactNode } from 'react'
import { readLastItem } from '../../acts/drafts.ts'
import { Section } from '../../ui/Page.tsx'

/** The shift with its bars and a line below them. */
export const shiftRoom = { minHeight: '6.5rem' }

/** An operator's own order and shift; what comes into it has its room before. */
export const OwnFrame = ({ children }: { children: ReactNode }) => (
  <Section title="Meu trabalho">
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">{children}</div>
  </Section>
)

export const EmptyOwnFrame = () => (
  <OwnFrame>
    {readLastItem() && <div className="min-h-24" />}
    <div style={shiftRoom} />
  </OwnFrame>
)
