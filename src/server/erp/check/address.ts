import { lookup } from 'node:dns/promises'
import net, { isIP } from 'node:net'
import tls from 'node:tls'
import { type CertificateLife, certificateAlarmMs, certificateLife } from '../../../domain/plant/alarms.ts'
import { type Finding, type FindingCode, finding } from './findings.ts'

const CONNECT_WAIT_MS = 3000

type Target = { host: string; port: number; secure: boolean }

function targetOf(address: string): Target {
  const { protocol, hostname, port } = new URL(address)
  const secure = protocol === 'https:'
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (secure ? 443 : 80), secure }
}

/** Resolves to the life of its certificate; null without TLS. */
function connect({ host, port, secure }: Target): Promise<CertificateLife | null> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) ? {} : { servername: host }
    const socket = secure ? tls.connect({ host, port, ...name }) : net.connect({ host, port })
    const settle = (end: () => void) => {
      socket.destroy()
      end()
    }
    socket.setTimeout(CONNECT_WAIT_MS, () => settle(() => reject(new Error('ETIMEDOUT'))))
    socket.once('error', (error) => settle(() => reject(error)))
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      const life = socket instanceof tls.TLSSocket ? certificateLife(socket.getPeerCertificate()) : null
      settle(() => resolve(life))
    })
  })
}

const UNREACHABLE = /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EADDRNOTAVAIL)$/

const certificateFaults: Record<string, FindingCode> = {
  CERT_HAS_EXPIRED: 'certificate_over',
  CERT_NOT_YET_VALID: 'certificate_over',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
}

function faultOf(error: NodeJS.ErrnoException, { host, port }: Target): Finding {
  const cause = error.code ?? error.message
  const place = `${host}:${port}`
  if (cause === 'ECONNREFUSED') return finding('connection_refused', 'ERP_URL', place)
  if (UNREACHABLE.test(cause)) return finding('no_connection', 'ERP_URL', `${place} ${cause}`)
  if (/SSL|EPROTO/.test(cause)) return finding('no_tls', 'ERP_URL', `${place} ${cause}`)
  return finding(certificateFaults[cause] ?? 'certificate', 'ERP_URL', `${place} ${cause}`)
}

/** Name, connection and certificate, before any call. */
export async function checkAddress(url: string, nowMs: number): Promise<{ right: string; findings: Finding[] }> {
  const target = targetOf(url)
  const found = await lookup(target.host).catch(() => null)
  if (!found) return { right: '', findings: [finding('no_name', 'ERP_URL', target.host)] }
  try {
    const life = await connect(target)
    const endsSoon = life !== null && life.endsAt - nowMs < certificateAlarmMs(life)
    const findings = endsSoon ? [finding('certificate_ends', 'ERP_URL', new Date(life.endsAt).toISOString())] : []
    return { right: `${found.address}:${target.port}${target.secure ? ', com TLS' : ', sem TLS'}`, findings }
  } catch (error) {
    return { right: '', findings: [faultOf(error as NodeJS.ErrnoException, target)] }
  }
}
