import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { connect, type TLSSocket } from 'node:tls'
import { type CertificateLife, certificateLife, type ServerFacts } from '../../domain/plant/alarms.ts'
import type { Entrance } from '../http/entrance.ts'
import type { Outside } from '../outside.ts'
import { ownAccount } from '../store/file-faults.ts'
import { findTriedOutAt, newestBackupAt } from './backups.ts'
import { findFolderFaults, foldersOf } from './folders.ts'
import { findPageId, ownProgram } from './identity.ts'

const CONNECT_WAIT_MS = 5000
const CERTIFICATES_READ_EVERY_MS = 3_600_000

/** From when to when it holds, whoever signed it; null where nobody shows one. */
function findCertificate(address: string): Promise<CertificateLife | null> {
  const { protocol, hostname: host, port } = new URL(address)
  if (protocol !== 'https:') return Promise.resolve(null)
  return new Promise((resolve) => {
    // only dates are read: whether it is to be trusted is for whoever sends something
    const options = { host: host.replace(/^\[|\]$/g, ''), port: Number(port) || 443, rejectUnauthorized: false }
    const name = /^[\d.]+$|^\[/.test(host) ? {} : { servername: host }
    const socket: TLSSocket = connect({ ...options, ...name })
    const settle = (life: CertificateLife | null) => {
      socket.destroy()
      resolve(life)
    }
    socket.setTimeout(CONNECT_WAIT_MS, () => settle(null))
    socket.once('error', () => settle(null))
    socket.once('secureConnect', () => settle(certificateLife(socket.getPeerCertificate())))
  })
}

async function readDisks(config: Outside['config']): Promise<ServerFacts['disks']> {
  const disks = await Promise.all(
    foldersOf(config).map(async ({ folder, path }) => {
      const found = await statfs(path).catch(() => null)
      // not made yet, or away
      if (found === null) return []
      return [{ folder, freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }]
    }),
  )
  return disks.flat()
}

export type ServerWatch = {
  by: Required<Pick<ServerFacts, 'server' | 'account'>>
  read(): Promise<ServerFacts>
  /** Notes the clock as the chores found it. */
  noteClock(isTrusted: boolean): void
}

/** Facts of this server, read when somebody asks. */
export function openServerWatch({
  config,
  erp,
  now,
  clockApartMs,
  directory,
}: Pick<Outside, 'config' | 'erp' | 'now' | 'clockApartMs'> & Pick<Entrance, 'directory'>): ServerWatch {
  const startedAt = now()
  const by = { server: `${hostname()}:${config.port}`, account: ownAccount() }
  let isTrusted = true
  let certificates: ServerFacts['certificates'] = []
  let certificatesReadAt = Number.NEGATIVE_INFINITY

  const readCertificates = async () => {
    if (Math.abs(now() - certificatesReadAt) < CERTIFICATES_READ_EVERY_MS) return
    certificatesReadAt = now()
    const addresses = [
      ['erp', config.erp?.url],
      ['panel', config.publicUrl],
    ] as const
    const found = await Promise.all(
      addresses.map(async ([of, address]) => {
        const life = address ? await findCertificate(address) : null
        // one that cannot be seen now is as it was
        return life === null ? certificates.filter((one) => one.of === of) : [{ of, ...life }]
      }),
    )
    certificates = found.flat()
  }

  return {
    by,
    noteClock(isTrustedNow) {
      isTrusted = isTrustedNow
    },
    async read() {
      await readCertificates()
      const { online, lastOkAt, latencyMs, fault, access, isAccessKnown, isConfigured } = erp.health()
      return {
        ...by,
        ...ownProgram(),
        page: await findPageId(),
        startedAt,
        readAt: now(),
        erp: {
          awaySince: online || !isConfigured ? null : (lastOkAt ?? startedAt),
          latencyMs,
          fault,
          access: isAccessKnown ? access : 'unknown',
          isConfigured,
        },
        directory: directory?.facts() ?? null,
        disks: await readDisks(config),
        folders: await findFolderFaults(config),
        backup: {
          newestAt: await newestBackupAt(config.backupDir, now()).catch(() => null),
          triedOutAt: await findTriedOutAt(config.backupDir, now()).catch(() => null),
        },
        certificates,
        clock: { apartMs: Math.round(clockApartMs()), isTrusted },
        knowsCallTeams: true,
      }
    },
  }
}
