import { hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { type Keys, newSigningKey } from '../http/signatures.ts'
import type { Outside } from '../outside.ts'
import type { Db, Reader, Tx } from '../store/db/db.ts'
import { databaseName } from '../store/db/open-store.ts'
import { faultText } from '../store/file-faults.ts'
import {
  deleteSetting,
  findSetting,
  KEY_FINGERPRINT,
  keepSetting,
  OPERATOR_MARKS_KEY,
  SIGNING_KEY,
  saveSetting,
} from '../store/settings.ts'

/** Longer than a grant, a mark or a tablet's entry may wait to be read again. */
const FORMER_READ_MS = 37 * 86_400_000

/** The file's content: keys in base64. The former key is read until `formerUntil`. */
type KeyPair = { current: string; former: string | null; formerUntil: number }

/**
 * The database, and the file of its keys; null: the database stores them itself, as servers that share it may share no
 * folder.
 */
type KeyPlace = { file: string | null; databaseName: string }

export const keyPlaceOf = (
  config: Pick<Config, 'database' | 'secretKeyFile' | 'dataDir'>,
  kind: Db['kind'],
): KeyPlace => ({
  file: config.secretKeyFile ?? (kind === 'sqlite' ? join(config.dataDir, 'secret.key') : null),
  databaseName: databaseName(config),
})

const fingerprintOf = (key: string): string => hash('sha256', `painel.${key}`, 'hex')

const TEXT = /^([\w+/]{43}=)(?:\s+([\w+/]{43}=) (\S+))?\s*$/

/**
 * One line per key; the second one also says until when it is read. Versions before stored one key in the database in this
 * form.
 */
const textOf = ({ current, former, formerUntil }: KeyPair): string =>
  former === null ? `${current}\n` : `${current}\n${former} ${new Date(formerUntil).toISOString()}\n`

function parsePair(text: string): KeyPair | null {
  const [, current, former = null, until = ''] = TEXT.exec(text) ?? []
  const formerUntil = former === null ? 0 : Date.parse(until)
  return current === undefined || Number.isNaN(formerUntil) ? null : { current, former, formerUntil }
}

/** Null where there is no file. Throws ConfigError where there is one without a key, or that cannot be read. */
function readPair(file: string): KeyPair | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new ConfigError(`A chave ${file} não pôde ser lida (${faultText(error)}).`)
  }
  const pair = parsePair(text)
  if (pair !== null) return pair
  throw new ConfigError(
    `O arquivo ${file} não tem uma chave: ponha de volta a cópia dele, ou apague-o e faça outra com npm run rotate-key.`,
  )
}

/** After a file in it was renamed: else a power cut may bring back the one before. */
export function flushFolderOf(file: string): void {
  // Windows has no such thing
  if (process.platform === 'win32') return
  const handle = openSync(dirname(file), 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Writes and syncs the file, whole or not at all. With `isNew` an existing file wins. */
function writePair(file: string, pair: KeyPair, { isNew }: { isNew: boolean }): KeyPair {
  const unfinished = `${file}.${process.pid}.novo`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(unfinished, { force: true })
    writeFileSync(unfinished, textOf(pair), { mode: 0o600, flush: true })
    if (isNew) linkSync(unfinished, file)
    else renameSync(unfinished, file)
    flushFolderOf(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const earlier = isNew && code === 'EEXIST' ? readPair(file) : null
    if (earlier === null) throw new ConfigError(`A chave ${file} não pôde ser gravada (${faultText(error)}).`)
    return earlier
  } finally {
    if (existsSync(unfinished)) rmSync(unfinished)
  }
  return pair
}

const findRow = async (db: Reader): Promise<KeyPair | null> => parsePair((await findSetting(db, SIGNING_KEY)) ?? '')

const newPair = (former: string | null, now: number): KeyPair => ({
  current: newSigningKey(),
  former,
  formerUntil: former === null ? 0 : now + FORMER_READ_MS,
})

/** After an interrupted rotation the key that the database knows is the `former` one. */
const isKnown = ({ current, former }: KeyPair, fingerprint: string): boolean =>
  fingerprintOf(current) === fingerprint || (former !== null && fingerprintOf(former) === fingerprint)

/** Why this start must refuse these keys; null when it may go on. Everything signed before would look forged. */
export async function findOtherKey(db: Reader, { file, databaseName: name }: KeyPlace): Promise<string | null> {
  const fingerprint = await findSetting(db, KEY_FINGERPRINT)
  const pair = file === null ? null : readPair(file)
  if (fingerprint === null || (pair !== null && isKnown(pair, fingerprint))) return null
  const what =
    file === null
      ? `SECRET_KEY_FILE falta: a chave do banco ${name} está num arquivo. Escreva o caminho dele`
      : `A chave ${file} ${pair === null ? 'falta, e o banco a conhece' : 'não é a do banco'} (${name}). Ponha ali a certa, a mesma em todos os servidores`
  return `${what}, ou faça outra com npm run rotate-key.`
}

async function refuseOtherKey(db: Reader, place: KeyPlace): Promise<void> {
  const refusal = await findOtherKey(db, place)
  if (refusal !== null) throw new ConfigError(refusal)
}

/** The former one is read until its time is over, however long the server runs. */
function keysOf({ current, former, formerUntil }: KeyPair, now: () => number): Keys {
  const earlier = former === null ? null : Buffer.from(former, 'base64')
  return {
    current: Buffer.from(current, 'base64'),
    get former() {
      return now() < formerUntil ? earlier : null
    },
  }
}

/** The keys of the file, created when missing. A key in the database becomes the former one. */
function takePair(file: string, row: KeyPair | null, now: number): KeyPair {
  const pair = readPair(file)
  if (pair === null) return writePair(file, newPair(row?.current ?? null, now), { isNew: true })
  if (row === null || row.current === pair.current || row.current === pair.former) return pair
  return writePair(file, { ...newPair(row.current, now), current: pair.current }, { isNew: false })
}

/**
 * Commits that the database uses the file's keys, and deletes its own. False when another server was first with other keys.
 */
async function settlePair(tx: Tx, pair: KeyPair): Promise<boolean> {
  const fingerprint = fingerprintOf(pair.current)
  const known = await keepSetting(tx, KEY_FINGERPRINT, fingerprint)
  if (!isKnown(pair, known)) return false
  if (known !== fingerprint) await saveSetting(tx, KEY_FINGERPRINT, fingerprint)
  await deleteSetting(tx, SIGNING_KEY)
  return true
}

/**
 * The keys of this database. An interrupted run is resumed by the next one: a key leaves the database only once it is on
 * disk. Throws ConfigError when the keys are another database's.
 */
export async function openKeys({ db, now }: Pick<Outside, 'db' | 'now'>, place: KeyPlace): Promise<Keys> {
  await refuseOtherKey(db.read, place)
  const row = await findRow(db.read)
  const pair = place.file === null ? null : takePair(place.file, row, now())
  const saved = await db.transaction(async (tx) => {
    await keepSetting(tx, OPERATOR_MARKS_KEY, row?.current ?? newSigningKey())
    if (pair === null) return parsePair(await keepSetting(tx, SIGNING_KEY, textOf(newPair(null, now()))))
    return (await settlePair(tx, pair)) ? pair : null
  })
  if (saved !== null) return keysOf(saved, now)
  await refuseOtherKey(db.read, place)
  throw new ConfigError(`O banco ${place.databaseName} não tem uma chave que se possa ler: npm run rotate-key.`)
}

/** A restored database uses the keys of its new place, and its own row only where there are none. */
export async function adoptKeys({ db, now }: Pick<Outside, 'db' | 'now'>, place: KeyPlace): Promise<void> {
  const isThere = place.file !== null && readPair(place.file) !== null
  await forgetKeys(db, { withRow: isThere })
  await openKeys({ db, now }, place)
}

/** The next start is the first one for its keys. The marks of operators' names stay what they are. */
export async function forgetKeys(db: Db, { withRow }: { withRow: boolean }): Promise<void> {
  const row = await findRow(db.read)
  await db.transaction(async (tx) => {
    if (row !== null) await keepSetting(tx, OPERATOR_MARKS_KEY, row.current)
    await deleteSetting(tx, KEY_FINGERPRINT)
    if (withRow) await deleteSetting(tx, SIGNING_KEY)
  })
}

/** Rotates the current key. Resolves to the instant until which the former one is read. */
export async function rotateKeys({ db, now }: Pick<Outside, 'db' | 'now'>, place: KeyPlace): Promise<number> {
  const { file } = place
  const row = await findRow(db.read)
  const known = await findSetting(db.read, KEY_FINGERPRINT)
  const pair = file === null ? row : readPair(file)
  const isBegun = row !== null || (pair !== null && known !== null && known !== fingerprintOf(pair.current))
  if (file !== null && isBegun && (await findOtherKey(db.read, place)) === null) {
    // a change that was cut short, or that the next start would make: one more would lose the key that was in use
    await openKeys({ db, now }, place)
    return readPair(file)?.formerUntil ?? 0
  }
  const next = newPair(pair?.current ?? row?.current ?? null, now())
  if (file !== null) writePair(file, next, { isNew: false })
  await db.transaction(async (tx) => {
    await keepSetting(tx, OPERATOR_MARKS_KEY, row?.current ?? newSigningKey())
    if (file === null) {
      await saveSetting(tx, SIGNING_KEY, textOf(next))
      await deleteSetting(tx, KEY_FINGERPRINT)
    } else {
      await saveSetting(tx, KEY_FINGERPRINT, fingerprintOf(next.current))
      await deleteSetting(tx, SIGNING_KEY)
    }
  })
  return next.formerUntil
}
