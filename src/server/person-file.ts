import { auditActionTexts, roleTexts } from '../domain/audit-entries.ts'
import { csvCode, csvFile, csvRows, csvText } from '../domain/csv.ts'
import { toInstant } from '../domain/plant-time.ts'
import { stepLabels } from '../domain/traces.ts'
import type { Db } from './store/db.ts'
import { listPersonLines, type PersonLine } from './store/person-lines.ts'
import type { ListedUser } from './store/users.ts'

type MomentText = (instant: string) => string

function cellsOf(line: PersonLine, momentText: MomentText): string[] {
  const moment = momentText(toInstant(line.at))
  if (line.kind === 'session') {
    return [moment, 'Sessão', csvText(line.device), '', `Último uso ${momentText(toInstant(line.lastUsedAt))}`]
  }
  if (line.kind === 'recording') {
    const what = [csvCode(line.order), csvCode(line.item)]
    return [moment, `Apontamento: ${stepLabels[line.part]}`, ...what, csvText(`${line.machine} ${line.pieces} peças`)]
  }
  if (line.kind === 'retained') {
    return [moment, `Apontamento retido: ${stepLabels[line.part]}`, csvText(line.device), '', '']
  }
  const where = line.kind === 'access' ? `Endereço ${line.address}` : line.subject
  return [moment, auditActionTexts[line.action], csvText(where), '', '']
}

/** What the panel stores under a user (LGPD, right of access), as a file that may be long. */
export async function* personCsv(db: Db, user: ListedUser, momentText: MomentText): AsyncGenerator<string> {
  yield csvFile([['Quando', 'O que', 'Onde ou em que', 'Item', 'Detalhes']])
  const access = user.active ? 'ativo' : 'desativado'
  const account = [csvText(user.fullName), csvText(user.username), `${roleTexts[user.role]}, ${access}`]
  yield csvRows([[momentText(toInstant(user.createdAt)), 'Cadastro de usuário', ...account]])
  for await (const line of listPersonLines(db.read, user.id)) yield csvRows([cellsOf(line, momentText)])
}
