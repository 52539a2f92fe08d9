// Plain JavaScript without dependencies: the set-up runs it on whatever Node started npm.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian keeps servers in sbin, which is not in everybody's PATH. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/local/bin']

const find = (names) => {
  for (const name of names) {
    for (const folder of folders) if (folder && existsSync(join(folder, name))) return join(folder, name)
  }
  return null
}

export const findMariadb = () => {
  const server = find(['mariadbd', 'mysqld'])
  const installer = find(['mariadb-install-db', 'mysql_install_db'])
  return server && installer ? { server, installer } : null
}

export const findChromium = () => {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return existsSync(CHROMIUM) ? CHROMIUM : null
  return find(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
}

/** The same browser without its window, for a quarter less of the processor. It neither installs a page nor shows a notice. */
export const findHeadlessChromium = () =>
  (process.env.CHROMIUM ? null : find(['chromium-headless-shell'])) ?? findChromium()

/** OpenLDAP, of a package that has its schemas and overlays. */
export const findSlapd = () => (existsSync('/usr/lib/ldap/memberof.la') ? find(['slapd']) : null)

/** LibreOffice, to open what we write for spreadsheets. */
export const findSpreadsheet = () => find(['soffice', 'libreoffice', 'localc'])

/** The library lies where Debian puts it: the node's configuration names that place too. */
const galeraLibrary = '/usr/lib/galera/libgalera_smm.so'

export const findGalera = () => {
  const mariadb = findMariadb()
  const [client, haproxy, ...others] = ['mariadb', 'haproxy', 'rsync', 'stunnel', 'openssl'].map((name) => find([name]))
  const isWhole = mariadb && client && haproxy && others.every(Boolean) && existsSync(galeraLibrary)
  return isWhole ? { ...mariadb, client, haproxy } : null
}
