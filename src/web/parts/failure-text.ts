import { ApiError, Unreachable } from '../server/api.ts'

/** The server's own words, or those of a silent network; else what the screen says of itself. */
export const failureText = (error: unknown, otherwise: string): string => {
  const isSaid = error instanceof Unreachable || (error instanceof ApiError && !error.code.startsWith('http_'))
  return (isSaid && error.message) || otherwise
}
