import { randomUUID } from 'node:crypto'
import type { ErpItem } from '../src/contract/items.ts'
import type { Capture, CutCrimpRecording } from '../src/contract/recordings.ts'
import type { Session } from '../src/contract/sessions.ts'
import { openPasswords } from '../src/server/http/passwords.ts'
import { insertApplicator } from '../src/server/store/applicators.ts'
import { openDb, type Tx } from '../src/server/store/db/db.ts'
import { migrate } from '../src/server/store/db/migrate.ts'
import { saveItems } from '../src/server/store/items.ts'
import { insertUser } from '../src/server/store/users.ts'

const BRANCH = '010101'
const ORDER = '01621401001'
const ITEMS = 250
const OTHER_TERMINALS = 2000
export const APPLICATORS = 20
/** Never used up, however long the run. */
const PIECES = 1_000_000
const CREATED_AT = Date.UTC(2026, 0, 5)
const USER = { username: 'operador', password: 'operador' }

const numbered = (prefix: string, at: number, digits: number) => `${prefix}${String(at).padStart(digits, '0')}`
const barcodeOf = (at: number) => numbered('0101621401', at, 12)

export const itemAt = (at: number): ErpItem => ({
  Z1_FILIAL: BRANCH,
  Z1_CLIENTE: 'Montadora Exemplo S.A.',
  Z1_CNPJCLI: '12345678000195',
  Z1_PRODUTO: numbered('CH', at, 8),
  Z1_REVCLI: 'A',
  Z1_REVLTM: '03',
  Z1_DESCPRO: 'Chicote do painel dianteiro',
  Z1_OP: ORDER,
  Z1_QUANT: PIECES,
  Z1_ITEMEST: numbered('', at, 6),
  Z1_COR: 'AM/VD',
  Z1_BITOLA: '0,50',
  Z1_GRAVA: 'X1-12',
  Z1_CODBAR: barcodeOf(at),
  Z1_CODCABO: 'CB050AMVD',
  Z1_DESCABO: 'Cabo flexível 0,50 mm² amarelo e verde',
  Z1_COMPR: 1250,
  Z1_PCORTE: 0,
  Z1_PCRIML1: 0,
  Z1_PCRIML2: 0,
  Z1_QTREGCO: 0,
  Z1_QTREGL1: 0,
  Z1_QTREGL2: 0,
  Z1_TERML1: 'T1326030',
  Z1_TERML2: 'T0925590',
  Z1_SELOL1: 'S0963244',
  Z1_SELOL2: '0',
  Z1_RMINL1: 70,
  Z1_RMINL2: 60,
  Z1_DECAL1: 1.1,
  Z1_DECAL2: 1.05,
  Z1_CONFERE: 'S',
})

const crimpOf = (at: number): CutCrimpRecording => ({
  EMPRESA: BRANCH,
  ORDEM_PROD: ORDER,
  QTD_ORDEM_PROD: PIECES,
  QTD_REALIZADA: 1,
  COD_BARRA: barcodeOf(at % ITEMS),
  MAQUINA: 'KX0001 - Komax',
  TERM_LD1: 'T1326030',
  FORCA_LD1: 70,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: 'B23-004517/2',
  MA_LD1: numbered('MA-', at % APPLICATORS, 4),
  SELO_LD1: 'S0963244',
  SELADORA_LD1: 'Seladora 01',
})

export async function addUser(tx: Tx): Promise<void> {
  const { username, password } = USER
  const passwordHash = await openPasswords().hash(password)
  await insertUser(tx, { username, fullName: 'Maria Souza', role: 'operador', passwordHash, createdAt: CREATED_AT })
}

/** A database with a user, items of one order, and terminals with 1, 100 and 500 mini applicators among many others. */
export async function fillDatabase(file: string): Promise<void> {
  const db = openDb({ kind: 'sqlite', file })
  await migrate(db)
  const at = CREATED_AT
  await db.transaction(async (tx) => {
    await addUser(tx)
    const addPairs = async (terminal: string, pairs: number) => {
      for (let n = 0; n < pairs; n++) await insertApplicator(tx, { terminal, miniaplicator: numbered('MA-', n, 4), at })
    }
    for (let n = 0; n < OTHER_TERMINALS; n++) await addPairs(numbered('T', n, 7), 2)
    for (const pairs of [1, 100, 500]) await addPairs(`TERMINAL-${pairs}`, pairs)
    const items = Array.from({ length: ITEMS }, (_, n) => itemAt(n))
    await saveItems(tx, BRANCH, items, { readBegunAt: at, fetchedAt: at })
  })
  await db.close()
}

/** The headers that a browser sends with a session: both secrets, and where the call comes from. */
export async function logIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(USER),
  })
  if (!answer.ok) throw new Error(`the login answered ${answer.status}`)
  const { token } = (await answer.json()) as Session
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return [
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    `cookie: ${cookie}`,
    'sec-fetch-site: same-origin',
    'accept: */*',
    'accept-encoding: gzip, deflate, br',
    'user-agent: Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ].join('\r\n')
}

export type Row = {
  title: string
  status: number
  /** The bytes of the next request. */
  next(): Buffer
}

/** Of a tool with two terminals and without a history, so that the answer does not depend on the day. */
const counterRow = (headers: string): Row => {
  const request = Buffer.from(`GET /api/crimpagens/${numbered('MA-', 5, 4)} HTTP/1.1\r\n${headers}\r\n\r\n`)
  return { title: 'one counter with its forecast', status: 200, next: () => request }
}

const listRow = (pairs: number, title: string, headers: string): Row => {
  const path = `/api/miniaplicadores/por-terminal/TERMINAL-${pairs}`
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
  return { title, status: 200, next: () => request }
}

export function recordingRow(headers: string, captura?: Capture): Row {
  let at = 0
  return {
    title: 'one recording, synchronous=FULL',
    status: 202,
    next() {
      const body = JSON.stringify({ ...crimpOf(at++), captura })
      const own = `idempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
      return Buffer.from(
        `POST /api/apontamentos/corte-crimpagem HTTP/1.1\r\n${headers}\r\n${own}\r\n\r\n${body}`,
        'latin1',
      )
    },
  }
}

export const rowsFor = (headers: string): Row[] => [
  listRow(1, 'one row by key', headers),
  listRow(100, 'a list of 100', headers),
  listRow(500, 'a list of 500', headers),
  counterRow(headers),
  recordingRow(headers),
]
