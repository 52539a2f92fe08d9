import { issueText } from '../../contract/errors.ts'
import { foldedName, optionalName } from '../../contract/names.ts'
import { ADMIN_PASSWORD_LENGTH_MIN, Password, Username } from '../../contract/sessions.ts'
import { FullName } from '../../contract/users.ts'
import { type Role, roles } from '../../contract/values.ts'
import { foldedHead, readTable, type TableKind, type TableRow } from '../text/csv-tables.ts'
import { isSpreadsheetValue, spreadsheetValueText } from '../text/spreadsheet-values.ts'
import { roleTexts } from './permissions.ts'

/** Each password takes the server a tenth of a second. */
export const IMPORTED_USERS_MAX = 200

/** `password` null: enters by no password until an admin gives one. */
export type ImportedUser = { line: number; username: string; fullName: string; role: Role; password: string | null }
export type LineFault = { line: number; message: string }

const heads = { nome: 'fullName', usuario: 'username', papel: 'role', perfil: 'role', senha: 'password' } as const
type Column = (typeof heads)[keyof typeof heads]
const columnTexts: Record<Column, string> = { fullName: 'nome', username: 'usuario', role: 'papel', password: 'senha' }

const userTable: TableKind<Column> = {
  columnOf: (head) => (Object.hasOwn(heads, head) ? heads[head as keyof typeof heads] : undefined),
  nameOf: (column) => columnTexts[column],
  required: ['fullName', 'username', 'role'],
  texts: ['fullName'],
  hint: 'Use nome, usuario, papel e senha.',
  linesMax: { count: IMPORTED_USERS_MAX, message: `São no máximo ${IMPORTED_USERS_MAX} usuários por arquivo.` },
}

/** A spreadsheet takes it for a formula: it would show, and save, something else than was typed. */
const isFormula = (cell: string): boolean => /^[=+\-@]/.test(cell)

/** A password is not said: it would stand on a screen, and in a log. */
const eatenText = (column: Column, cell: string): string | null => {
  if (!isSpreadsheetValue(cell)) return null
  if (column === 'password') return 'O Excel trocou esta senha? Formate a coluna como texto e escreva-a de novo.'
  return `${columnTexts[column]}: ${spreadsheetValueText(cell)}`
}

const troubleOf = (column: Column, schema: typeof Username | typeof FullName, cell: string): string | null => {
  const folded = foldedName(cell)
  if (folded === '') return `Falta ${column === 'fullName' ? 'o nome' : 'o usuário'}.`
  if (isFormula(folded)) return `A coluna ${columnTexts[column]} começa com ${folded.charAt(0)}, como uma fórmula.`
  const named = optionalName(cell.length).safeParse(cell)
  const [issue] = (named.error ?? schema.safeParse(named.data).error)?.issues ?? []
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

function readUser({ line, cells }: TableRow<Column>): ImportedUser | LineFault {
  const cellOf = (column: Column) => cells[column] ?? ''
  const [username, fullName] = [foldedName(cellOf('username')).toLowerCase(), foldedName(cellOf('fullName'))]
  const [role, password] = [roleOf(cellOf('role')), cellOf('password')]
  const message =
    eatenText('fullName', fullName) ??
    eatenText('username', cellOf('username')) ??
    eatenText('password', password) ??
    troubleOf('fullName', FullName, cellOf('fullName')) ??
    troubleOf('username', Username, cellOf('username').toLowerCase()) ??
    (role ? null : `Papel desconhecido: '${cellOf('role')}'. Use ${roles.join(', ')}.`) ??
    passwordTrouble(password, role)
  if (message || !role) return { line, message: message ?? '' }
  return { line, username, fullName, role, password: password === '' ? null : password }
}

const isFault = (one: ImportedUser | LineFault): one is LineFault => 'message' in one

/** A user on two lines is refused at the second. */
const findDoubled = (users: readonly ImportedUser[]): LineFault[] =>
  [...Map.groupBy(users, ({ username }) => username)].flatMap(([username, [first, ...again]]) =>
    again.map(({ line }) => ({ line, message: `O usuário ${username} já está na linha ${first?.line}.` })),
  )

/**
 * Users from a spreadsheet saved as CSV, whose first line names the columns. Good only without a fault: all of them or none.
 */
export function readUserImport(content: string): { users: ImportedUser[]; faults: LineFault[] } {
  const { rows, faults } = readTable(content, userTable)
  const read = rows.map(readUser)
  const users = read.filter((one) => !isFault(one)) as ImportedUser[]
  const ofLines = faults.map(({ line, column, message }) => ({
    line,
    message: column ? `${columnTexts[column]}: ${message}` : message,
  }))
  const all = [...ofLines, ...read.filter(isFault), ...findDoubled(users)]
  return { users, faults: all.sort((a, b) => a.line - b.line) }
}
