import { issueText } from '../../contract/errors.ts'
import { ADMIN_PASSWORD_LENGTH_MIN, Password, Username } from '../../contract/sessions.ts'
import { FULL_NAME_LENGTH_MAX } from '../../contract/users.ts'
import { type Role, roles, saying } from '../../contract/values.ts'
import { type CsvRow, foldedHead, readCsv, UnreadableCsv, unknownColumn } from '../text/csv.ts'
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

function readColumns({ line, cells }: CsvRow): Column[] {
  const columns = cells.map((cell) => {
    const column = Object.hasOwn(heads, foldedHead(cell)) ? heads[foldedHead(cell) as keyof typeof heads] : undefined
    if (!column) throw new UnreadableCsv(line, `${unknownColumn(cell)} Use nome, usuario, papel e senha.`)
    return column
  })
  const missing = required.find((column) => !columns.includes(column))
  if (missing) throw new UnreadableCsv(line, `Falta a coluna ${columnTexts[missing]} na primeira linha.`)
  if (new Set(columns).size < columns.length) throw new UnreadableCsv(line, 'A mesma coluna está duas vezes.')
  return columns
}

const FullName = saying(FULL_NAME_LENGTH_MAX)

/** What a spreadsheet takes for a formula: it would show, and save, something else than what was typed. */
const isFormula = (cell: string): boolean => /^[=+\-@]/.test(cell)

const troubleOf = (column: Column, schema: typeof Username | typeof FullName, cell: string): string | null => {
  if (cell === '') return `Falta ${column === 'fullName' ? 'o nome' : 'o usuário'}.`
  if (isFormula(cell)) return `A coluna ${columnTexts[column]} começa com ${cell.charAt(0)}, como uma fórmula.`
  const [issue] = schema.safeParse(cell).error?.issues ?? []
  return issue ? `${columnTexts[column]}: ${issueText(issue)}.` : null
}

const roleOf = (cell: string): Role | undefined =>
  roles.find((role) => [role, foldedHead(roleTexts[role])].includes(foldedHead(cell)))

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
  try {
    const { columns, rows } = readCsv(content, readColumns)
    const beyond = rows[IMPORTED_USERS_MAX]
    if (beyond) throw new UnreadableCsv(beyond.line, `São no máximo ${IMPORTED_USERS_MAX} usuários por arquivo.`)
    const read = rows.map((row) => readUser(row, columns))
    const users = read.filter((one) => !isFault(one)) as ImportedUser[]
    const faults = [...read.filter(isFault), ...findDoubled(users)].sort((a, b) => a.line - b.line)
    return { users, faults }
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error
    return { users: [], faults: [{ line: error.line, message: error.message }] }
  }
}
