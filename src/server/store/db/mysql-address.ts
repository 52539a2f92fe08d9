import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'mysql2'

/**
 * The connection options of `DATABASE_URL`. With `?ssl-ca=file` only a server whose certificate this authority has signed
 * gets anything, the password included. Throws when that file is no certificate.
 */
export function mysqlAddress(url: string): Pick<ConnectionOptions, 'uri' | 'ssl'> {
  const address = new URL(url)
  const file = address.searchParams.get('ssl-ca')
  if (file === null) return { uri: url }
  const ca = readFileSync(file, 'utf8')
  // TLS would pass over what is none, and trust nobody
  new X509Certificate(ca)
  address.search = ''
  // for a server named by a number mysql2 would look for 'localhost' in the certificate
  return { uri: address.href, ssl: { ca, verifyIdentity: isIP(address.hostname.replace(/^\[|\]$/g, '')) === 0 } }
}

/** As every connection of ours is opened. */
export const mysqlOptions = (url: string) => ({
  ...mysqlAddress(url),
  charset: 'utf8mb4',
  connectTimeout: 5000,
  decimalNumbers: true,
  supportBigNumbers: true,
  timezone: 'Z',
})
