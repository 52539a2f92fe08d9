import type { ReactNode } from 'react'
import { useTurn } from './useTurn.ts'

/** Its children come so many drawings after what is around it. Its own turn: what is there already is not drawn again. */
export const Later = ({ turns = 1, children }: { turns?: number; children: ReactNode }) =>
  useTurn(turns + 1) > turns && children
