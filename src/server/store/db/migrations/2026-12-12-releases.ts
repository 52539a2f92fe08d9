import { sql } from 'kysely'
import { column, type Step } from './steps.ts'

/** Whoever was let through by a release of their own. A name that was taken away is nobody's. */
const ownReleases: Step = async (db) => {
  await sql`update recording_findings set own_release = 1 where own_release is null and exists
    (select 1 from releases l, recordings r where l.id = recording_findings.release_id
      and r.id = recording_findings.recording_id and l.user_id = r.user_id and l.user_id <> 0)`.execute(db)
}

/** What a release looked at, how many pieces it is good for, and whether somebody let their own work through. */
export const releases: Record<string, Step> = {
  releases_pieces: column('pieces', 'releases', (c) => c.integer),
  releases_looked: column('looked_json', 'releases', (c) => c.longText),
  recording_findings_own: column('own_release', 'recording_findings', (c) => c.integer),
  recording_findings_own_filled: ownReleases,
}
