import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError, isVariable } from './config.ts'

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

/** An unquoted value ends at a `#`, also in the middle of a password; what follows a blank is meant as a comment. */
const CUT_VALUE = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?![ \t]*["'`])(?:[^#\n]*[^#\s])?#/gm

function refuseCutValues(text: string): void {
  for (const [, name = ''] of text.matchAll(CUT_VALUE)) {
    if (!isVariable(name)) continue
    throw new ConfigError(
      `${name} não vale: no arquivo .env nada conta depois de # sem aspas. Ponha o valor entre aspas simples.`,
    )
  }
}

/** The process's own variables; a `.env` beside package.json fills in what they leave out. Throws ConfigError. */
export function readEnvironment(): Record<string, string | undefined> {
  if (!existsSync('.env')) return process.env
  const text = readText('.env')
  refuseCutValues(text)
  return { ...parseEnv(text), ...process.env }
}
