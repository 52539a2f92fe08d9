import { ConfigError } from '../config.ts'

/** Ends a command with a sentence that says what is wrong and what to do. */
export class CommandError extends Error {}

export const runCommand = (run: () => Promise<void>): Promise<void> =>
  run().catch((error: unknown) => {
    const isExpected = error instanceof CommandError || error instanceof ConfigError
    console.error(isExpected ? error.message : error)
    process.exit(1)
  })
