import type { DirectoryFault } from '../../contract/health.ts'

type Ldapts = typeof import('ldapts')

/** How far a call had come. */
export type Stage = 'connect' | 'bind' | 'search'

const failures: readonly [words: RegExp, fault: DirectoryFault][] = [
  [/ENOTFOUND|EAI_/, 'unknown_name'],
  [/CERT|UNABLE_TO|ALTNAME|certificate/, 'certificate'],
  [/EPROTO|ERR_SSL|SSL routines/, 'no_tls'],
  [/TIMEDOUT|timed out|timeout|in time/i, 'timeout'],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/, 'unreachable'],
]

/** By the class of the error: words of a stranger are shown to nobody. */
export function faultOf(error: unknown, stage: Stage, ldapts: Ldapts): DirectoryFault {
  const isOf = (...classes: (new (...given: never[]) => Error)[]) => classes.some((one) => error instanceof one)
  if (!isOf(ldapts.ResultCodeError as never)) {
    const { code = '', message = '' } = error as NodeJS.ErrnoException
    return failures.find(([words]) => words.test(`${code} ${message}`))?.[1] ?? 'broken'
  }
  if (stage === 'connect') return 'no_tls'
  if (isOf(ldapts.BusyError, ldapts.UnavailableError)) return 'busy'
  if (isOf(ldapts.StrongAuthRequiredError, ldapts.ConfidentialityRequiredError)) return 'needs_tls'
  if (stage === 'bind') return 'account'
  if (isOf(ldapts.NoSuchObjectError)) return 'base'
  return isOf(ldapts.InsufficientAccessError) ? 'rights' : 'search'
}
