import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** Counts a component's drawings from 1 up to `last`: what is seen first comes first, and a slow tablet can react in between. */
export function useTurn(last: number): number {
  const [turn, setTurn] = useState(1)
  useEffect(() => {
    if (turn < last) startTransition(() => setTurn(turn + 1))
  }, [turn, last])
  return turn
}

type Props = { turns?: number; before?: ReactNode; children: ReactNode }

/**
 * Its children come so many drawings after what is around it; `before` stands in their place until then. Its own turn: what is there
 * already is not drawn again.
 */
export const Later = ({ turns = 1, before, children }: Props) => (useTurn(turns + 1) > turns ? children : before)
