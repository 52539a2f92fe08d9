import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Db, isUniqueViolation, type Reader } from './db.ts'
import { house } from './migrations/2026-11-21-house.ts'
import { junctions } from './migrations/2026-11-21-junctions.ts'
import { logEntries } from './migrations/2026-11-21-log-entries.ts'
import { documents } from './migrations/2026-11-22-documents.ts'
import { maintenanceRecords } from './migrations/2026-11-22-maintenance-records.ts'
import { erpWords } from './migrations/2026-11-23-erp-words.ts'
import { resent } from './migrations/2026-11-23-resent.ts'
import { retained } from './migrations/2026-11-23-retained.ts'
import { accesses } from './migrations/2026-11-24-accesses.ts'
import { passwordAt } from './migrations/2026-11-24-password-at.ts'
import { trailByUser } from './migrations/2026-11-24-trail-by-user.ts'
import { writtenElsewhere } from './migrations/2026-11-24-written-elsewhere.ts'
import { longPassword } from './migrations/2026-11-25-long-password.ts'
import { sessionOrigins } from './migrations/2026-11-26-session-origins.ts'
import { alarms } from './migrations/2026-11-27-alarms.ts'
import { badges } from './migrations/2026-11-27-badges.ts'
import { directory } from './migrations/2026-11-27-directory.ts'
import { boards } from './migrations/2026-11-28-boards.ts'
import { controlPlans } from './migrations/2026-11-28-control-plans.ts'
import { gauges } from './migrations/2026-11-28-gauges.ts'
import { maintenanceCalls } from './migrations/2026-11-28-maintenance-calls.ts'
import { wearParts } from './migrations/2026-11-28-wear-parts.ts'
import { wholeOrders } from './migrations/2026-11-28-whole-orders.ts'
import { measurements } from './migrations/2026-11-29-measurements.ts'
import { controlCharts } from './migrations/2026-11-30-control-charts.ts'
import { partsOfCalls } from './migrations/2026-11-30-parts-of-calls.ts'
import { alarmSubjects } from './migrations/2026-12-01-alarm-subjects.ts'
import { epochWitnesses } from './migrations/2026-12-02-epoch-witnesses.ts'
import { touchedAt } from './migrations/2026-12-04-touched-at.ts'
import { stationSecrets } from './migrations/2026-12-05-station-secrets.ts'
import { wrongPins } from './migrations/2026-12-05-wrong-pins.ts'
import { orderOfActs } from './migrations/2026-12-07-order-of-acts.ts'
import { teamsOfCalls } from './migrations/2026-12-08-teams-of-calls.ts'
import { outsideActs } from './migrations/2026-12-10-outside-acts.ts'
import { calibrations } from './migrations/2026-12-11-calibrations.ts'
import { unsafeTools } from './migrations/2026-12-11-unsafe-tools.ts'
import { invalidations } from './migrations/2026-12-12-invalidations.ts'
import { releases } from './migrations/2026-12-12-releases.ts'
import { planApprovals } from './migrations/2026-12-13-plan-approvals.ts'
import { causesAndSignals } from './migrations/2026-12-14-causes-and-signals.ts'
import { sampleSubjects } from './migrations/2026-12-15-sample-subjects.ts'
import { pairsOfUnits } from './migrations/2026-12-21-pairs-of-units.ts'
import { scrap } from './migrations/2026-12-22-scrap.ts'
import { knownCodes } from './migrations/2026-12-23-known-codes.ts'
import { containments } from './migrations/2026-12-26-containments.ts'
import { columnsOf, type Step } from './migrations/steps.ts'

/** In the order they landed; a list that landed never changes. */
const lists: Record<string, Record<string, Step>> = {
  '2026-11-21-house': house,
  '2026-11-21-junctions': junctions,
  '2026-11-21-log-entries': logEntries,
  '2026-11-22-documents': documents,
  '2026-11-22-maintenance-records': maintenanceRecords,
  '2026-11-23-erp-words': erpWords,
  '2026-11-23-resent': resent,
  '2026-11-23-retained': retained,
  '2026-11-24-accesses': accesses,
  '2026-11-24-password-at': passwordAt,
  '2026-11-24-trail-by-user': trailByUser,
  '2026-11-24-written-elsewhere': writtenElsewhere,
  '2026-11-25-long-password': longPassword,
  '2026-11-26-session-origins': sessionOrigins,
  '2026-11-27-alarms': alarms,
  '2026-11-27-directory': directory,
  '2026-11-27-badges': badges,
  '2026-11-28-whole-orders': wholeOrders,
  '2026-11-28-maintenance-calls': maintenanceCalls,
  '2026-11-28-wear-parts': wearParts,
  '2026-11-28-boards': boards,
  '2026-11-28-gauges': gauges,
  '2026-11-28-control-plans': controlPlans,
  '2026-11-29-measurements': measurements,
  '2026-11-30-control-charts': controlCharts,
  '2026-11-30-parts-of-calls': partsOfCalls,
  '2026-12-01-alarm-subjects': alarmSubjects,
  '2026-12-02-epoch-witnesses': epochWitnesses,
  '2026-12-04-touched-at': touchedAt,
  '2026-12-05-wrong-pins': wrongPins,
  '2026-12-05-station-secrets': stationSecrets,
  '2026-12-07-order-of-acts': orderOfActs,
  '2026-12-08-teams-of-calls': teamsOfCalls,
  '2026-12-10-outside-acts': outsideActs,
  '2026-12-11-calibrations': calibrations,
  '2026-12-11-unsafe-tools': unsafeTools,
  '2026-12-12-invalidations': invalidations,
  '2026-12-12-releases': releases,
  '2026-12-13-plan-approvals': planApprovals,
  '2026-12-14-causes-and-signals': causesAndSignals,
  '2026-12-15-sample-subjects': sampleSubjects,
  '2026-12-21-pairs-of-units': pairsOfUnits,
  '2026-12-22-scrap': scrap,
  '2026-12-23-known-codes': knownCodes,
  '2026-12-26-containments': containments,
}

async function nameOfDatabase(db: Reader, kind: Db['kind']): Promise<'sqlite' | 'mariadb' | 'mysql'> {
  if (kind === 'sqlite') return 'sqlite'
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return /mariadb/i.test(rows[0]?.version ?? '') ? 'mariadb' : 'mysql'
}

async function migratorOf(db: Db): Promise<{ migrator: Migrator; count: number }> {
  const columns = columnsOf(await nameOfDatabase(db.read, db.kind))
  const migrations = Object.entries(lists).flatMap(([list, steps]) =>
    Object.entries(steps).map(([name, step], at) => [
      `${list}-${String(at + 1).padStart(2, '0')}-${name}`,
      { up: (connection: Reader) => step(connection as never, columns) },
    ]),
  )
  const migrator = new Migrator({
    db: db.read,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  })
  return { migrator, count: migrations.length }
}

/** Runs what is missing, up to `last` where it is given, and names what it ran. Two servers starting at once: one does it. */
export async function runSteps(db: Db, last?: string): Promise<string[]> {
  const { migrator, count } = await migratorOf(db)
  for (let tries = 1; ; tries++) {
    const { error, results = [] } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
    if (!error) return results.map(({ migrationName }) => migrationName)
    // on SQLite Kysely locks nobody out: another process has recorded this step first, so it is done
    if (!isUniqueViolation(error) || tries > count) throw error
  }
}

export async function areStepsMissing(db: Db): Promise<boolean> {
  const { migrator } = await migratorOf(db)
  return (await migrator.getMigrations()).some(({ executedAt }) => executedAt === undefined)
}
