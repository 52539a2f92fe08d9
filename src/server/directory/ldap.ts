import net from 'node:net'
import tls from 'node:tls'
import type { Client, Entry, Filter, SearchOptions } from 'ldapts'
import { FULL_NAME_LENGTH_MAX } from '../../contract/users.ts'
import type { Role } from '../../contract/values.ts'
import {
  type GroupRole,
  groupBaseOf,
  isDisabledAccount,
  type NestedGroup,
  roleOfGroups,
  withNestedGroups,
} from '../../domain/people/directory.ts'
import { ConfigError } from '../config.ts'
import { DirectoryAway } from '../http/entrance.ts'
import { slicesOf } from '../store/slices.ts'
import type { ServiceAccount } from './account.ts'
import { faultOf, type Stage } from './faults.ts'
import type { DirectorySettings } from './settings.ts'

const CONNECT_MS_MAX = 4000
/** Limit of one answer. */
const ANSWER_MS_MAX = 8000
/** Limit of all requests in one call, handshakes included: less than a handler has. */
const WHOLE_MS_MAX = 20_000
/** Entries of one search: directories give no more than 500 or 1000. */
const NAMES_MAX = 200
/** Groups in groups: what is deeper gives no role. */
const LEVELS_MAX = 8
/** As Active Directory calls a group, and the others. */
const groupClasses = ['group', 'groupOfNames', 'groupOfUniqueNames']

/** Somebody of the directory who may come in. */
export type Person = { username: string; fullName: string; role: Role }

export type Ldap = {
  /** Throws DirectoryAway. */
  findByPassword(username: string, password: string): Promise<Person | null>
  /** People of `usernames` who may come in. Throws DirectoryAway where the answer is not whole. */
  listPeople(usernames: readonly string[]): Promise<Person[]>
  /** Everybody with this name, whether they may come in or not, and the rules with all groups in groups. Throws DirectoryAway. */
  describe(username: string): Promise<{ found: Found[]; rules: GroupRole[] }>
  /** Whether the service account comes in and sees where people are. Throws DirectoryAway. */
  check(): Promise<void>
  /** Whether somebody answers there, without any password. Throws DirectoryAway. */
  greet(): Promise<void>
}

export type Found = { dn: string; username: string; fullName: string; groups: readonly string[]; isDisabled: boolean }

const oneLine = (words: string) => words.replace(/\p{Cc}/gu, ' ').trim()

/** A server may answer in another case than it was asked in. */
function valuesOf(entry: Entry): (name: string) => string[] {
  const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), [value].flat().map(String)]))
  return (name) => values.get(name.toLowerCase()) ?? []
}

function foundOf(entry: Entry, loginAttribute: string): Found {
  const allOf = valuesOf(entry)
  const firstOf = (name: string) => allOf(name)[0]
  const username = (firstOf(loginAttribute) ?? '').toLowerCase()
  const fullName = oneLine(firstOf('displayName') ?? firstOf('cn') ?? '') || username
  return {
    dn: entry.dn,
    username,
    fullName: fullName.slice(0, FULL_NAME_LENGTH_MAX),
    groups: allOf('memberOf'),
    isDisabled: isDisabledAccount(firstOf('userAccountControl')),
  }
}

function personOf({ username, fullName, groups, isDisabled }: Found, rules: readonly GroupRole[]): Person | null {
  const role = roleOfGroups(groups, rules)
  return role === null || isDisabled ? null : { username, fullName, role }
}

/** The client would connect again by itself: without StartTLS a password would go in clear, without the log-in nobody be found. */
function onlyOnce<Connect extends (...given: never[]) => net.Socket>(connect: Connect, sockets: net.Socket[]): Connect {
  let isUsed = false
  return ((...given: never[]) => {
    if (isUsed) throw new Error('the connection was lost')
    isUsed = true
    const socket = connect(...given)
    sockets.push(socket)
    return socket
  }) as Connect
}

type Ldapts = typeof import('ldapts')

const awayOf = (error: unknown, stage: Stage, ldapts: Ldapts): DirectoryAway =>
  error instanceof DirectoryAway
    ? error
    : new DirectoryAway(faultOf(error, stage, ldapts), (error as Error).message, { cause: error })

/** Work on a connection of its own. Throws DirectoryAway. */
async function connected<Result>(
  ldapts: Ldapts,
  { url, authority, isPlain }: DirectorySettings,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { hostname, protocol } = new URL(url)
  const trust = authority === null ? {} : { ca: authority }
  const sockets: net.Socket[] = []
  const client = new ldapts.Client({
    url,
    timeout: ANSWER_MS_MAX,
    connectTimeout: CONNECT_MS_MAX,
    // given for ldap:// it would begin with TLS there too
    ...(protocol === 'ldaps:' ? { tlsOptions: trust } : {}),
    createConnection: onlyOnce(net.connect, sockets),
    createSecureConnection: onlyOnce(tls.connect, sockets),
  })
  let stage: Stage = 'connect'
  const inTurn = async () => {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (protocol === 'ldap:' && !isPlain) await client.startTLS({ ...trust, host })
    stage = 'search'
    return await work(client)
  }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), WHOLE_MS_MAX)
  try {
    return await Promise.race([inTurn(), late.promise])
  } catch (error) {
    for (const socket of sockets) socket.destroy()
    throw awayOf(error, stage, ldapts)
  } finally {
    clearTimeout(timer)
    client.unbind().catch(() => undefined)
  }
}

async function isPasswordOf(dn: string, password: string, client: Client, ldapts: Ldapts): Promise<boolean> {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    const { InvalidCredentialsError, InappropriateAuthError, InsufficientAccessError } = ldapts
    const refusals = [InvalidCredentialsError, InappropriateAuthError, InsufficientAccessError]
    if (refusals.some((refusal) => error instanceof refusal)) return false
    throw error
  }
}

function parseFilter({ FilterParser }: Ldapts, filter: string): Filter {
  try {
    return FilterParser.parseString(filter)
  } catch {
    throw new ConfigError(`LDAP_FILTER inválido: ${filter} não é um filtro LDAP, como (objectClass=person).`)
  }
}

/** Searches for people and their groups. Throws ConfigError. */
function openSearches(ldapts: Ldapts, settings: DirectorySettings) {
  const { base, loginAttribute } = settings
  const isPerson = parseFilter(ldapts, settings.filter)
  const attributes = [loginAttribute, 'displayName', 'cn', 'memberOf', 'userAccountControl']

  /** Encoded, never written into a text: no name can change the filter. */
  const oneOf = (attribute: string, values: readonly string[]): Filter =>
    new ldapts.OrFilter({ filters: values.map((value) => new ldapts.EqualityFilter({ attribute, value })) })

  async function search(client: Client, usernames: readonly string[]): Promise<Found[]> {
    const filter = new ldapts.AndFilter({ filters: [isPerson, oneOf(loginAttribute, usernames)] })
    const { searchEntries } = await client.search(base, { scope: 'sub', filter, attributes })
    return searchEntries.map((entry) => foundOf(entry, loginAttribute))
  }

  async function listGroupsIn(client: Client, groups: readonly string[]): Promise<NestedGroup[]> {
    const filter = new ldapts.AndFilter({ filters: [oneOf('objectClass', groupClasses), oneOf('memberOf', groups)] })
    try {
      const options: SearchOptions = { scope: 'sub', filter, attributes: ['memberOf'] }
      const { searchEntries } = await client.search(groupBaseOf(base), options)
      return searchEntries.map((entry) => ({ group: entry.dn, within: valuesOf(entry)('memberOf') }))
    } catch (error) {
      const { NoSuchObjectError, InsufficientAccessError } = ldapts
      // a service account that sees its people only goes on with the groups that they say themselves
      if (error instanceof NoSuchObjectError || error instanceof InsufficientAccessError) return []
      throw error
    }
  }

  /** The rules for groups in groups too: one search a level, and of a circle each group once. */
  async function listRules(client: Client): Promise<GroupRole[]> {
    const nested = new Map<string, NestedGroup>()
    let names = settings.groups.map(({ group }) => group)
    for (let level = 0; level < LEVELS_MAX && names.length > 0; level++) {
      const found: NestedGroup[] = []
      for (const some of slicesOf(names, NAMES_MAX)) found.push(...(await listGroupsIn(client, some)))
      names = found.map(({ group }) => group).filter((name) => !nested.has(name))
      for (const one of found) nested.set(one.group, one)
    }
    return withNestedGroups(settings.groups, [...nested.values()])
  }

  return { search, listRules }
}

/** Reads one entry without any attribute. */
const probe: SearchOptions = { scope: 'base', filter: '(objectClass=*)', attributes: ['1.1'] }

/** Reads the package when there is a directory. Throws ConfigError. */
export async function openLdap(settings: DirectorySettings, account: Pick<ServiceAccount, 'bind'>): Promise<Ldap> {
  const ldapts = await import('ldapts')
  const { base, user, password } = settings
  const { search, listRules } = openSearches(ldapts, settings)

  /** On a connection of its own, once the service account is in. */
  const asAccount = <Result>(work: (client: Client) => Promise<Result>): Promise<Result> =>
    connected(ldapts, settings, async (client) => {
      await account.bind(() =>
        client.bind(user, password).catch((error: unknown) => {
          throw awayOf(error, 'bind', ldapts)
        }),
      )
      return await work(client)
    })

  return {
    async findByPassword(username, password) {
      // a bind without a password succeeds, as nobody's (RFC 4513, 5.1.2)
      if (password === '' || username === '') return null
      return await asAccount(async (client) => {
        const [found, ...others] = await search(client, [username])
        if (!found || others.length > 0 || found.dn === '' || found.username !== username) return null
        // from the bind on the connection is the person's
        const rules = await listRules(client)
        return (await isPasswordOf(found.dn, password, client, ldapts)) ? personOf(found, rules) : null
      })
    },
    async listPeople(usernames) {
      return await asAccount(async (client) => {
        const found: Found[] = []
        for (const some of slicesOf(usernames, NAMES_MAX)) found.push(...(await search(client, some)))
        const rules = await listRules(client)
        return found.map((one) => personOf(one, rules)).filter((person) => person !== null)
      })
    },
    describe: (username) =>
      asAccount(async (client) => ({ found: await search(client, [username]), rules: await listRules(client) })),
    check: () => asAccount(async (client) => void (await client.search(base, probe))),
    greet: () =>
      connected(ldapts, settings, async (client) => {
        try {
          await client.search('', probe)
        } catch (error) {
          // whatever it says to a stranger, it is there
          const { ResultCodeError, BusyError, UnavailableError } = ldapts
          const isThere = error instanceof ResultCodeError
          if (!isThere || error instanceof BusyError || error instanceof UnavailableError) throw error
        }
      }),
  }
}
