import { onTestFinished } from 'vitest'
import { type Cluster, startCluster } from '../../../deploy/galera/cluster.ts'
import { freePort } from '../../../deploy/galera/processes.ts'
import { findGalera } from '../../../scripts/programs.mjs'
import { temporaryFolder } from '../harness.ts'

/** Three nodes behind HAProxy as `deploy/galera` sets them up. Throws where the programs are not installed. */
export async function startTestCluster(): Promise<Cluster> {
  const programs = findGalera()
  if (!programs)
    throw new Error(
      'Not shown: this needs mariadb-server, galera-4, haproxy, rsync, stunnel4 and openssl, which are not here.',
    )
  const cluster = await startCluster({ folder: temporaryFolder(), port: await freePort(), programs })
  onTestFinished(cluster.stop, 60_000)
  return cluster
}
