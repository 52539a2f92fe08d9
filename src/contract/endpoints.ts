import { applicators } from './applicators.ts'
import { auditEntries } from './audit-entries.ts'
import { badges } from './badges.ts'
import { charts } from './charts.ts'
import { containmentDecisions } from './containment-decisions.ts'
import { containmentFiles, containments } from './containments.ts'
import { controlPlans } from './control-plans.ts'
import { crimpCounters } from './crimp-counters.ts'
import { documentChanges, documentFiles, documents, documentUploads } from './documents.ts'
import { endHistories } from './end-histories.ts'
import type { Endpoint } from './endpoint.ts'
import { epochs } from './epochs.ts'
import { equipment } from './equipment.ts'
import { firstAccess } from './first-access.ts'
import { health } from './health.ts'
import { installationSettings } from './installation-settings.ts'
import { instruments } from './instruments.ts'
import { items } from './items.ts'
import { junctions } from './junctions.ts'
import { liveChanges } from './live-changes.ts'
import { logEntries } from './log-entries.ts'
import { machines } from './machines.ts'
import { maintenanceCalls } from './maintenance-calls.ts'
import { maintenanceTasks } from './maintenance-tasks.ts'
import { measurements } from './measurements.ts'
import { outsideActs } from './outside-acts.ts'
import { pendingRecordings } from './pending-recordings.ts'
import { planChanges, planImports } from './plan-changes.ts'
import { productionReports } from './production-reports.ts'
import { receipts } from './receipts.ts'
import { recordings } from './recordings.ts'
import { planFindings, releases } from './releases.ts'
import { retainedDeliveries } from './retained-deliveries.ts'
import { scrapReasons } from './scrap-reasons.ts'
import { scrapReports } from './scrap-reports.ts'
import { scraps } from './scraps.ts'
import { sealingStations } from './sealing-stations.ts'
import { sessions } from './sessions.ts'
import { settings, status } from './settings.ts'
import { settingsChanges } from './settings-changes.ts'
import { spc } from './spc.ts'
import { stations } from './stations.ts'
import { traces } from './traces.ts'
import { users } from './users.ts'
import { wearParts } from './wear-parts.ts'

/** Every call the server answers: the table of contents of /docs and of the bad-input tests. */
export const endpoints: readonly Endpoint[] = [
  sessions,
  firstAccess,
  status,
  settings,
  settingsChanges,
  health,
  epochs,
  installationSettings,
  items,
  machines,
  equipment,
  applicators,
  sealingStations,
  crimpCounters,
  maintenanceCalls,
  wearParts,
  maintenanceTasks,
  liveChanges,
  logEntries,
  recordings,
  junctions,
  receipts,
  releases,
  pendingRecordings,
  retainedDeliveries,
  charts,
  traces,
  endHistories,
  productionReports,
  documents,
  users,
  badges,
  stations,
  controlPlans,
  planChanges,
  instruments,
  spc,
  measurements,
  planFindings,
  outsideActs,
  containments,
  scraps,
  scrapReasons,
  scrapReports,
  containmentDecisions,
  containmentFiles,
  auditEntries,
  planImports,
  documentFiles,
  documentUploads,
  documentChanges,
].flatMap((feature): Endpoint[] => Object.values(feature))
