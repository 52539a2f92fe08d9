import type { Config } from '../config.ts'
import type { Passwords } from '../http/passwords.ts'
import type { Outside } from '../outside.ts'
import type { Reader } from '../store/db/db.ts'
import { databaseName } from '../store/db/open-store.ts'
import { findSetting, findStandIn, KIND, type StoredInstallation } from '../store/settings.ts'
import { findFullName, findUserByName } from '../store/users.ts'

/** Users of the demonstration: everybody knows their passwords, which are their names. */
export const sampleUsers = [
  { username: 'operador', fullName: 'Maria Souza', role: 'operador' },
  { username: 'admin', fullName: 'Administrador', role: 'admin' },
] as const

/** Recognises a demonstration older than the setting by its users. */
async function hasDemonstrationUsers(db: Reader): Promise<boolean> {
  const found = await Promise.all(sampleUsers.map(({ username }) => findFullName(db, username)))
  return sampleUsers.every(({ fullName }, at) => found[at] === fullName)
}

/** A demonstration user whose password is still the published one; null when there is none. */
export async function findDemonstrationUser({
  db,
  passwords,
}: Pick<Outside, 'db'> & { passwords: Passwords }): Promise<string | null> {
  for (const { username } of sampleUsers) {
    const user = await findUserByName(db.read, username)
    if (user?.active && (await passwords.verify(username, user.passwordHash))) return username
  }
  return null
}

/** Without the setting a database is a plant's unless it is surely a demonstration's. */
export async function findKind(db: Reader): Promise<Config['mode']> {
  const remembered = await findSetting(db, KIND)
  const isDemonstration = remembered === null ? await hasDemonstrationUsers(db) : remembered === 'demonstration'
  return isDemonstration ? 'demonstration' : 'plant'
}

const ANOTHER = 'use outro banco: mude DATA_DIR ou DATABASE_URL'
/** By the database's kind and by the variable that asked for the other one. */
const refusals: Record<Config['mode'], Record<Config['modeFrom'], (name: string) => string>> = {
  plant: {
    MODE: (name) => `MODE=demonstration inválido: o banco ${name} é de uma fábrica. Para a demonstração ${ANOTHER}.`,
    ERP_URL: (name) =>
      `ERP_URL falta: o banco ${name} é de uma fábrica. Preencha ERP_URL, ERP_USER e ERP_PASSWORD; para a demonstração ${ANOTHER}.`,
  },
  demonstration: {
    MODE: (name) => `MODE=plant inválido: o banco ${name} é de uma demonstração. Na fábrica ${ANOTHER}.`,
    ERP_URL: (name) => `ERP_URL inválido aqui: o banco ${name} é de uma demonstração. Na fábrica ${ANOTHER}.`,
  },
}

/**
 * Why a start must refuse this existing database; null when it may go on. A plant's taken for a demonstration's would send
 * its waiting recordings to a simulator; one that has worked with an ERP has lost it by mistake, unless `MODE` says otherwise.
 */
export async function findOtherKind(
  db: Reader,
  config: Config,
  { values }: StoredInstallation,
): Promise<string | null> {
  const kind = await findKind(db)
  const isNamed = config.erp !== null || values.ERP_URL !== undefined
  const isLost = kind === 'plant' && !isNamed && config.modeFrom === 'ERP_URL' && (await findStandIn(db)) !== null
  return kind === config.mode && !isLost ? null : refusals[kind][config.modeFrom](databaseName(config))
}
