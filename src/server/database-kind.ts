import type { Config } from './config.ts'
import { hasDemonstrationUsers } from './demonstration.ts'
import { databaseName } from './open-store.ts'
import type { Reader } from './store/db.ts'
import { findSetting, KIND } from './store/settings.ts'

/** One of before this was written down is a plant's where it is not surely a demonstration's. */
async function findKind(db: Reader): Promise<Config['mode']> {
  const remembered = await findSetting(db, KIND)
  const isDemonstration = remembered === null ? await hasDemonstrationUsers(db) : remembered === 'demonstration'
  return isDemonstration ? 'demonstration' : 'plant'
}

const ANOTHER = 'use outro banco: mude DATA_DIR ou DATABASE_URL'
/** By what the database is and by what asked for the other kind. */
const refusals: Record<Config['mode'], Record<Config['modeFrom'], (name: string) => string>> = {
  plant: {
    MODE: (name) => `MODE=demonstration não vale: o banco ${name} é de uma fábrica. Para a demonstração ${ANOTHER}.`,
    ERP_URL: (name) =>
      `ERP_URL falta: o banco ${name} é de uma fábrica. Preencha ERP_URL, ERP_USER e ERP_PASSWORD; para a demonstração ${ANOTHER}.`,
  },
  demonstration: {
    MODE: (name) => `MODE=plant não vale: o banco ${name} é de uma demonstração. Na fábrica ${ANOTHER}.`,
    ERP_URL: (name) => `ERP_URL não vale aqui: o banco ${name} é de uma demonstração. Na fábrica ${ANOTHER}.`,
  },
}

/**
 * Why this start must not go on with a database that is not new; null when it may. A plant's that is taken for a demonstration's would
 * deliver to a simulator what waits for the ERP.
 */
export async function findOtherKind(db: Reader, config: Config): Promise<string | null> {
  const kind = await findKind(db)
  return kind === config.mode ? null : refusals[kind][config.modeFrom](databaseName(config))
}
