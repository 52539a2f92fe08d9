import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'

const DAY_MS = 86_400_000

/** One element of ASN.1, as DER writes it. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const hex = (digits: string) => Buffer.from(digits, 'hex')
const oid = (digits: string) => der(0x06, hex(digits))
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const ALT_NAME = oid('551d11')
const instant = (ms: number) => der(0x18, Buffer.from(new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '')))

export type Certificate = { key: string; cert: string }

/** Signed by itself; for `127.0.0.1`, or for another name. It ends in `days`, and began `age` days ago. */
export function makeCertificate({ days = 90, age = 100, name = '127.0.0.1' } = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const who = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))))
  const altName = name === '127.0.0.1' ? der(0x87, Buffer.from([127, 0, 0, 1])) : der(0x82, Buffer.from(name))
  const now = Date.now()
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    who,
    sequence(instant(now - age * DAY_MS), instant(now + days * DAY_MS)),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(ALT_NAME, der(0x04, sequence(altName))))),
  )
  const signature = sign('sha256', content, privateKey)
  const whole = sequence(content, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** Shows its certificate and hangs up: nobody waits for an answer. */
export async function startTlsServer(
  certificate: Certificate,
): Promise<{ url: string; renew: (certificate: Certificate) => void }> {
  const server = createServer(certificate)
  server.on('tlsClientError', () => undefined)
  server.on('secureConnection', (socket) => socket.on('error', () => undefined).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, renew: (renewed) => server.setSecureContext(renewed) }
}
