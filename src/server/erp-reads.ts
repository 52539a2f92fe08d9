import type { Context } from './context.ts'
import { ErpFailure } from './erp/gateway.ts'
import { Refused } from './refused.ts'

/** How long a person waits for a slow ERP before the last copy answers. */
const COPY_AFTER_MS = 8000

/** Failures in which the last copy is better than nothing. The ERP's own "no" is an answer, not a failure. */
const copyHelps = (error: unknown) => error instanceof ErpFailure && !['refused', 'not_found'].includes(error.kind)

/**
 * Reads from the ERP, or from the last copy when the ERP is down or slow. `read` goes on after the copy has answered
 * and keeps what it then learns. With neither the ERP nor a copy the ERP's failure is thrown.
 */
export async function readOrCopy<T>(
  read: () => Promise<T>,
  copy: () => Promise<{ value: T; fetchedAt: number } | null>,
  { log }: Pick<Context, 'log'>,
): Promise<{ value: T; copyOf: number | null }> {
  const reading = read()
  let limit: NodeJS.Timeout | undefined
  const slow = new Promise<'slow'>((resolve) => {
    limit = setTimeout(() => resolve('slow'), COPY_AFTER_MS)
  })
  try {
    const first = await Promise.race([reading.then((value) => ({ value })), slow])
    if (first !== 'slow') return { value: first.value, copyOf: null }
    reading.catch((error: unknown) => log.warn({ err: error }, 'a slow ERP read failed after its copy had answered'))
  } catch (error) {
    if (!copyHelps(error)) throw error
    log.warn({ err: error }, 'the ERP could not be read; looking for a copy')
  } finally {
    clearTimeout(limit)
  }
  const kept = await copy()
  return kept ? { value: kept.value, copyOf: kept.fetchedAt } : { value: await reading, copyOf: null }
}

/** Branches are configuration: one that this installation does not have is refused before the ERP hears of it. */
export function requirePlant(branch: string, { config }: Pick<Context, 'config'>): void {
  if (config.plants.some((plant) => plant.code === branch)) return
  throw new Refused('unknown_plant', { details: [{ field: 'filial', message: 'Filial desconhecida' }] })
}
