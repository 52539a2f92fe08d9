import { sql } from 'kysely'
import type { Reader } from './db.ts'

/** Byte by byte, trailing blanks included: MariaDB's and MySQL's name of it. */
const EXACT_COLLATIONS = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']

type Requirement = {
  /** Names differ between MariaDB and MySQL; one that a database does not know asks nothing of it. */
  variables: readonly string[]
  isMet: (value: string, all: ReadonlyMap<string, string>) => boolean
  /** Completes "O banco de dados de DATABASE_URL ...". */
  complaint: (value: string) => string
}

/** As a session of ours has them, so that what stands between us and the database is judged too. */
const requirements: readonly Requirement[] = [
  {
    variables: ['tx_isolation', 'transaction_isolation'],
    isMet: (value) => value === 'READ-COMMITTED',
    complaint: (value) => `trabalha com o isolamento ${value}: o painel precisa de READ-COMMITTED`,
  },
  {
    variables: ['time_zone'],
    isMet: (value) => value === '+00:00',
    complaint: (value) => `trabalha no fuso horário ${value}: o painel precisa de +00:00`,
  },
  {
    variables: ['innodb_flush_log_at_trx_commit'],
    isMet: (value) => value === '1',
    complaint: (value) =>
      `tem innodb_flush_log_at_trx_commit=${value}: uma queda de energia perderia apontamentos, o painel precisa de 1`,
  },
  {
    variables: ['wsrep_sync_wait'],
    // bit 1: a read waits for what the other nodes have committed before it
    isMet: (value, all) => all.get('wsrep_on') !== 'ON' || Number(value) % 2 === 1,
    complaint: (value) => `é Galera com wsrep_sync_wait=${value}: o painel precisa de 1`,
  },
]

async function findBadVariable(db: Reader): Promise<string | null> {
  const names = sql.join(['wsrep_on', ...requirements.flatMap(({ variables }) => variables)])
  const { rows } = await sql<{
    Variable_name: string
    Value: string
  }>`show variables where variable_name in (${names})`.execute(db)
  const all = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]))
  for (const { variables, isMet, complaint } of requirements) {
    const value = variables.map((name) => all.get(name)).find((known) => known !== undefined)
    if (value !== undefined && !isMet(value, all)) return complaint(value)
  }
  return null
}

/** A table that somebody has converted, or that a restored copy brought. Kysely's own tables hold no text of a person. */
async function findBadTable(db: Reader): Promise<string | null> {
  const { rows } = await sql<{ name: string; collation: string }>`
    select table_name as name, collation_name as collation from information_schema.columns
    where table_schema = database() and table_name not like 'kysely%' and collation_name is not null
      and collation_name not in (${sql.join(EXACT_COLLATIONS)})
    order by table_name limit 1`.execute(db)
  const [bad] = rows
  return bad
    ? `compara os textos da tabela ${bad.name} por ${bad.collation}: o painel precisa de ${EXACT_COLLATIONS[0]}`
    : null
}

/** Why a MariaDB or MySQL must not be used as it is set, in words that complete a sentence; null when it may. */
export async function findUnfitness(db: Reader): Promise<string | null> {
  return (await findBadVariable(db)) ?? (await findBadTable(db))
}
