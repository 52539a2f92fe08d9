import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError } from './config.ts'

/** In UTF-8, with or without a byte order mark, which Node would make a part of the first name. */
function readText(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new ConfigError(`O arquivo ${file} não pôde ser lido (${(error as Error).message}).`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ConfigError(`O arquivo ${file} não está em UTF-8: grave-o de novo como UTF-8.`)
  }
}

/** The process's own variables; a `.env` beside package.json fills in what they leave out. Throws ConfigError. */
export function readEnvironment(): Record<string, string | undefined> {
  if (!existsSync('.env')) return process.env
  return { ...parseEnv(readText('.env')), ...process.env }
}
