import { listLookAlikes } from '../../domain/people/names.ts'
import { listAlikePlaces } from '../../domain/quality/plan-versions.ts'
import type { Outside } from '../outside.ts'
import { listApplicators } from '../store/applicators.ts'
import { listPlans } from '../store/control-plans.ts'
import { listSealingStations } from '../store/sealing-stations.ts'

const GROUPS_MAX = 20

/** From before names were compared by their looks: each of them may have a counter of its own. */
export async function warnOfLookAlikes({ db, log, now }: Pick<Outside, 'db' | 'log' | 'now'>): Promise<void> {
  const pairs = await listApplicators(db.read)
  const stations = await listSealingStations(db.read)
  const groups = [
    pairs.map(({ miniaplicator }) => miniaplicator),
    pairs.map(({ terminal }) => terminal),
    stations.map(({ sealingStationName }) => sealingStationName),
    stations.map(({ seal }) => seal),
  ].flatMap(listLookAlikes)
  const plans = await listPlans(db.read, { openAt: now() })
  const alike = listAlikePlaces(plans.map(({ plan }) => plan))
  if (alike.length > 0) {
    const names = alike.slice(0, GROUPS_MAX).map((group) => group.map(({ terminal }) => terminal).join(' = '))
    log.warn({ names, count: alike.length }, 'plans in force look alike')
  }
  if (groups.length === 0) return
  const names = groups.slice(0, GROUPS_MAX).map((group) => group.join(' = '))
  log.warn({ names, count: groups.length }, 'names that look alike are registered')
}
