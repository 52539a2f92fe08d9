import { issueText } from '../contract/errors.ts'
import { ADMIN_PASSWORD_LENGTH_MIN, Password, Username } from '../contract/sessions.ts'
import { FULL_NAME_LENGTH_MAX } from '../contract/users.ts'
import { type Role, roles, text } from '../contract/values.ts'
import { roleTexts } from './permissions.ts'

/** Each password takes the server a tenth of a second. */
export const IMPORTED_USERS_MAX = 200

/** `password` null: enters by no password until an admin gives one. */
export type ImportedUser = { line: number; username: string; fullName: string; role: Role; password: string | null }
export type LineFault = { line: number; message: string }

const heads = { nome: 'fullName', usuario: 'username', papel: 'role', perfil: 'role', senha: 'password' } as const
type Column = (typeof heads)[keyof typeof heads]
const required: readonly Column[] = ['fullName', 'username', 'role']
const columnTexts: Record<Column, string> = { fullName: 'nome', username: 'usuario', role: 'papel', password: 'senha' }

const folded = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .trim()
    .toLowerCase()

class Unreadable extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

type CsvRow = { line: number; cells: string[] }

/** Rows of RFC 4180, blank ones left out. A line break in quotes is refused: nothing here has two lines. */
function readCsv(content: string, separator: string): CsvRow[] {
  const quoted = `"(?:[^"\\r\\n]|"")*"`
  const plain = `[^"${separator}\\r\\n][^${separator}\\r\\n]*`
  const cell = new RegExp(`[ \\t]*(${quoted})[ \\t]*(?=${separator}|$)|(${plain})|(?=${separator}|$)`, 'y')
  const cellsOf = (row: string, line: number): string[] => {
    const cells: string[] = []
    for (let at = 0; ; at++) {
      cell.lastIndex = at
      const found = cell.exec(row)
      if (!found) throw new Unreadable(line, 'Há aspas que não se fecham nesta linha.')
      const [, inQuotes, bare = ''] = found
      cells.push((inQuotes?.slice(1, -1).replaceAll('""', '"') ?? bare).trim())
      at = cell.lastIndex
      if (at >= row.length) return cells
    }
  }
  return content
    .split(/\r\n|\r|\n/)
    .map((row, at) => ({ row, line: at + 1 }))
    .filter(({ row }) => row.replaceAll(separator, '').trim() !== '')
    .map(({ row, line }) => ({ line, cells: cellsOf(row, line) }))
}

function readColumns({ line, cells }: CsvRow): Column[] {
  const columns = cells.map((cell) => {
    const column = Object.hasOwn(heads, folded(cell)) ? heads[folded(cell) as keyof typeof heads] : undefined
    if (!column) throw new Unreadable(line, `Coluna desconhecida: '${cell}'. Use nome, usuario, papel e senha.`)
    return column
  })
  const missing = required.find((column) => !columns.includes(column))
  if (missing) throw new Unreadable(line, `Falta a coluna ${columnTexts[missing]} na primeira linha.`)
  if (new Set(columns).size < columns.length) throw new Unreadable(line, 'A mesma coluna está duas vezes.')
  return columns
}

const FullName = text(FULL_NAME_LENGTH_MAX)

/** What a spreadsheet takes for a formula: it would show, and save, something else than what was typed. */
const isFormula = (cell: string): boolean => /^[=+\-@]/.test(cell)

const troubleOf = (column: Column, schema: typeof Username | typeof FullName, cell: string): string | null => {
  if (cell === '') return `Falta ${column === 'fullName' ? 'o nome' : 'o usuário'}.`
  if (isFormula(cell)) return `A coluna ${columnTexts[column]} começa com ${cell.charAt(0)}, como uma fórmula.`
  const [issue] = schema.safeParse(cell).error?.issues ?? []
  return issue ? `${columnTexts[column]}: ${issueText(issue)}.` : null
}

const roleOf = (cell: string): Role | undefined =>
  roles.find((role) => [role, folded(roleTexts[role])].includes(folded(cell)))

function passwordTrouble(password: string, role: Role | undefined): string | null {
  if (password === '') return role === 'admin' ? 'Um administrador precisa de senha.' : null
  const [issue] = Password.safeParse(password).error?.issues ?? []
  if (issue) return `${issueText(issue)}.`
  const isShort = role === 'admin' && password.length < ADMIN_PASSWORD_LENGTH_MIN
  return isShort ? `A senha de administrador precisa de pelo menos ${ADMIN_PASSWORD_LENGTH_MIN} caracteres.` : null
}

function readUser({ line, cells }: CsvRow, columns: readonly Column[]): ImportedUser | LineFault {
  if (cells.length !== columns.length) {
    return { line, message: `São esperadas ${columns.length} colunas, e aqui há ${cells.length}.` }
  }
  const cellOf = (column: Column) => cells[columns.indexOf(column)] ?? ''
  const [username, fullName] = [cellOf('username').toLowerCase(), cellOf('fullName').normalize('NFC')]
  const [role, password] = [roleOf(cellOf('role')), cellOf('password')]
  const message =
    troubleOf('fullName', FullName, fullName) ??
    troubleOf('username', Username, username) ??
    (role ? null : `Papel desconhecido: '${cellOf('role')}'. Use ${roles.join(', ')}.`) ??
    passwordTrouble(password, role)
  if (message || !role) return { line, message: message ?? '' }
  return { line, username, fullName, role, password: password === '' ? null : password }
}

const isFault = (one: ImportedUser | LineFault): one is LineFault => 'message' in one

/** Whoever stands on two lines is refused at the second. */
function findDoubled(users: readonly ImportedUser[]): LineFault[] {
  const first = new Map<string, number>()
  return users.flatMap(({ username, line }) => {
    const earlier = first.get(username)
    if (earlier !== undefined) return [{ line, message: `O usuário ${username} já está na linha ${earlier}.` }]
    first.set(username, line)
    return []
  })
}

/**
 * Users from a spreadsheet saved as CSV, with `;` or `,` between the columns that its first line names. Good only without
 * a fault: all of them or none.
 */
export function readUserImport(content: string): { users: ImportedUser[]; faults: LineFault[] } {
  const whole = content.replace(/^\uFEFF/, '')
  try {
    if (/[^\P{Cc}\t\r\n]/u.test(whole)) throw new Unreadable(1, 'Isto não é um CSV: grave a planilha como CSV (UTF-8).')
    const separator = /^\s*[^\r\n]*;/.test(whole) ? ';' : ','
    const [head, ...rows] = readCsv(whole, separator)
    if (!head) throw new Unreadable(1, 'O arquivo está vazio.')
    const columns = readColumns(head)
    if (rows.length === 0) throw new Unreadable(head.line, 'O arquivo só tem os nomes das colunas.')
    const beyond = rows[IMPORTED_USERS_MAX]
    if (beyond) throw new Unreadable(beyond.line, `São no máximo ${IMPORTED_USERS_MAX} usuários por arquivo.`)
    const read = rows.map((row) => readUser(row, columns))
    const users = read.filter((one) => !isFault(one)) as ImportedUser[]
    const faults = [...read.filter(isFault), ...findDoubled(users)].sort((a, b) => a.line - b.line)
    return { users, faults }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { users: [], faults: [{ line: error.line, message: error.message }] }
  }
}
