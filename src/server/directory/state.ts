import type { DirectoryFault } from '../../contract/health.ts'
import { directoryFaults } from '../../domain/people/directory-faults.ts'
import type { DirectoryFacts } from '../../domain/plant/alarms.ts'
import { DirectoryAway } from '../http/entrance.ts'
import type { Outside } from '../outside.ts'

type DirectoryState = {
  /** Notes the outcome of a call that asked for something, and passes it on. */
  noted<Answer>(answer: Promise<Answer>): Promise<Answer>
  /** As above, of one that asked for nothing: it shows only that somebody is there. */
  reached(answer: Promise<void>): Promise<void>
  read(): Omit<DirectoryFacts, 'access'>
}

/** Whether the directory answers, since when not, and what is wrong. Each fault is logged when it begins and when all are over. */
export function openDirectoryState({ now, log }: Pick<Outside, 'now' | 'log'>): DirectoryState {
  const openedAt = now()
  let awaySince: number | null = null
  let lastOkAt: number | null = null
  let fault: { reason: DirectoryFault; at: number } | null = null
  let said: DirectoryFault | null = null

  const isAway = (reason: DirectoryFault) => directoryFaults[reason].isAway

  function heard(): void {
    awaySince = null
    lastOkAt = now()
  }

  function endNotice(): void {
    if (said !== null) log.info('the directory answers again')
    said = null
  }

  function failed(error: DirectoryAway): void {
    const { fault: reason } = error
    // says no more than the refusal before it
    if (reason === 'paused') return
    fault = { reason, at: now() }
    if (isAway(reason)) awaySince ??= lastOkAt ?? openedAt
    else heard()
    const isSaid = said !== null && (isAway(reason) ? isAway(said) : said === reason)
    if (isSaid) return
    said = reason
    const line = { fault: reason, reason: directoryFaults[reason].sentence, err: error }
    if (isAway(reason)) log.warn(line, 'the directory does not answer: nobody is logged out for it')
    else log.warn(line, 'the directory cannot be used: nobody is logged out for it')
  }

  async function noted<Answer>(answer: Promise<Answer>, onAnswer: () => void): Promise<Answer> {
    try {
      const whole = await answer
      heard()
      onAnswer()
      return whole
    } catch (error) {
      if (error instanceof DirectoryAway) failed(error)
      throw error
    }
  }

  return {
    noted: (answer) => noted(answer, endNotice),
    reached: (answer) =>
      noted(answer, () => {
        // of a service account that was refused it says nothing
        if (said !== null && isAway(said)) endNotice()
      }),
    read: () => ({ awaySince, lastOkAt, fault }),
  }
}
