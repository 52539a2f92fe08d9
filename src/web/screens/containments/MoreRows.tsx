import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'

type Props = {
  reading: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  /** How many are shown. */
  children: ReactNode
}

/** The way to the next page, where there is one. */
export const MoreRows = ({ reading: { hasNextPage, isFetchingNextPage, fetchNextPage }, children }: Props) =>
  hasNextPage && (
    <div className="flex flex-col items-center gap-2">
      <p role="status" className="text-sm text-muted">
        {children}
      </p>
      <Button size="lg" busy={isFetchingNextPage} busyText="Carregando..." onPress={() => void fetchNextPage()}>
        Mostrar mais
      </Button>
    </div>
  )
