import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Attribute, Change, Client } from 'ldapts'
import { expect, onTestFinished } from 'vitest'
import { freePort, keep, type RunningProcess } from '../../../deploy/galera/processes.ts'
import { temporaryFolder } from '../harness.ts'
import { certificateFile } from './responder.ts'

const BASE = 'dc=fabrica,dc=local'
const ROOT = `cn=raiz,${BASE}`
const SERVICE = `cn=servico,${BASE}`
const SECRET = 'segredo-do-teste'
const schemas = ['core', 'cosine', 'inetorgperson']

/** Everybody may be read by whoever is in, nobody's password; whoever is not in is only asked for a password. */
const configurationOf = (folder: string) => `
${schemas.map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${join(folder, 'pid')}
TLSCertificateFile ${certificateFile}
TLSCertificateKeyFile ${certificateFile}
database mdb
suffix "${BASE}"
rootdn "${ROOT}"
rootpw ${SECRET}
directory ${join(folder, 'entries')}
index uid eq
access to attrs=userPassword by anonymous auth by * none
access to * by users read by * none
overlay memberof
`

const personOf = (uid: string) => `uid=${uid},${BASE}`
const groupOf = (name: string) => `cn=${name},${BASE}`

const environment = {
  LDAP_BASE: BASE,
  LDAP_USER: SERVICE,
  LDAP_PASSWORD: SECRET,
  LDAP_GROUPS: `lider=${groupOf('lideres')};operador=${groupOf('painel')}`,
  LDAP_LOGIN_ATTRIBUTE: 'uid',
  LDAP_FILTER: '(objectClass=inetOrgPerson)',
  LDAP_CA_FILE: certificateFile,
}

const changeOfMembers = (operation: 'add' | 'delete', values: string[]) =>
  new Change({ operation, modification: new Attribute({ type: 'member', values }) })

/** A real OpenLDAP, with the overlay that says at each person which groups have it. */
export async function startSlapd(program: string) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'entries'))
  const configuration = join(folder, 'slapd.conf')
  writeFileSync(configuration, configurationOf(folder))
  const [plain, secure] = [await freePort(), await freePort()]
  const addresses = `ldap://127.0.0.1:${plain} ldaps://127.0.0.1:${secure}`
  const start = () => keep([program, '-f', configuration, '-h', addresses, '-d', '0'])
  let running: RunningProcess | null = await start()
  onTestFinished(async () => await running?.stop())

  /** As its administrator. */
  const change = async (work: (client: Client) => Promise<unknown>) => {
    const client = new Client({ url: `ldap://127.0.0.1:${plain}` })
    try {
      await client.bind(ROOT, SECRET)
      await work(client)
    } finally {
      await client.unbind()
    }
  }
  const listens = () =>
    change(async () => undefined).then(
      () => true,
      () => false,
    )
  await expect.poll(listens).toBe(true)
  await change(async (client) => {
    await client.add(BASE, { objectClass: ['dcObject', 'organization'], o: 'Fábrica' })
    const account = ['organizationalRole', 'simpleSecurityObject']
    await client.add(SERVICE, { objectClass: account, userPassword: SECRET })
  })
  return {
    change,
    personOf,
    groupOf,
    /** With the same password, which is theirs alone. */
    addPeople: (uids: readonly string[], groups: Record<string, readonly string[]>) =>
      change(async (client) => {
        for (const uid of uids) {
          const names = { cn: `Pessoa ${uid}`, sn: uid, displayName: `Pessoa ${uid}` }
          await client.add(personOf(uid), { objectClass: 'inetOrgPerson', ...names, userPassword: SECRET })
        }
        for (const [name, members] of Object.entries(groups)) {
          await client.add(groupOf(name), { objectClass: 'groupOfNames', member: members.map(personOf) })
        }
      }),
    /** Of people and groups alike. */
    changeMembers: (group: string, operation: 'add' | 'delete', members: string[]) =>
      change((client) => client.modify(groupOf(group), changeOfMembers(operation, members))),
    password: SECRET,
    /** It takes connections and says nothing. */
    freeze: () => void process.kill(running?.pid ?? 0, 'SIGSTOP'),
    thaw: () => void process.kill(running?.pid ?? 0, 'SIGCONT'),
    stop: async () => {
      await running?.stop()
      running = null
    },
    restart: async () => {
      running = await start()
      await expect.poll(listens).toBe(true)
    },
    env: (security: 'ldaps' | 'starttls') => ({
      ...environment,
      LDAP_URL: security === 'ldaps' ? `ldaps://127.0.0.1:${secure}` : `ldap://127.0.0.1:${plain}`,
    }),
  }
}
