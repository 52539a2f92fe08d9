import { readFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { Ber, BerReader, BerWriter, type Filter, FilterParser, ProtocolOperation } from 'ldapts'

/** Of an authority that is itself, for localhost and 127.0.0.1; until 2120. */
export const certificateFile = join(import.meta.dirname, 'localhost.pem')
const pem = readFileSync(certificateFile, 'utf8')
const START_TLS = '1.3.6.1.4.1.1466.20037'
const SUCCESS = 0
const REFUSED_PASSWORD = 49
const UNAVAILABLE = 52
const NO_SUCH_OBJECT = 32

type Entry = { dn: string; password: string; attributes: Record<string, string[]> }

const DOMAIN = 'dc=fabrica,dc=local'
const BASE = 'OU=Pessoas,DC=fabrica,DC=local'
export const groupOf = (name: string) => `CN=${name},OU=Grupos,DC=fabrica,DC=local`
export const SERVICE = { dn: `CN=painel,${BASE}`, password: 'conta-de-serviço' }

/** A person as Active Directory has one. */
export const personOf = (username: string, groups: string[] = ['Painel'], fullName = 'Maria Souza'): Entry => ({
  dn: `CN=${fullName},${BASE}`,
  password: 'senha-do-diretório',
  attributes: {
    sAMAccountName: [username],
    displayName: [fullName],
    memberOf: groups.map(groupOf),
    userAccountControl: ['512'],
    objectClass: ['person'],
  },
})

/** In others as `member` of theirs says. */
export const nestedGroupOf = (name: string, within: string[]): Entry => ({
  dn: groupOf(name),
  password: '',
  attributes: { cn: [name], memberOf: within.map(groupOf), objectClass: ['top', 'group'] },
})

type Request = { id: number; operation: number | null; reader: BerReader }

function readRequest(bytes: Buffer): Request {
  const reader = new BerReader(bytes)
  reader.readSequence()
  const id = reader.readInt() ?? 0
  return { id, operation: reader.readSequence(), reader }
}

function answerOf(id: number, operation: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(operation)
  write(writer)
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}

const resultOf = (id: number, operation: number, code: number) =>
  answerOf(id, operation, (writer) => {
    writer.writeEnumeration(code)
    writer.writeString('')
    writer.writeString('')
  })

const entryOf = (id: number, { dn, attributes }: Entry) =>
  answerOf(id, ProtocolOperation.LDAP_RES_SEARCH_ENTRY, (writer) => {
    writer.writeString(dn)
    writer.startSequence()
    for (const [name, values] of Object.entries(attributes)) {
      writer.startSequence()
      writer.writeString(name)
      writer.startSequence(Ber.Set | Ber.Constructor)
      for (const value of values) writer.writeString(value)
      writer.endSequence()
      writer.endSequence()
    }
    writer.endSequence()
  })

function readSearch(reader: BerReader): { base: string; filter: Filter } {
  const base = reader.readString() ?? ''
  for (let at = 0; at < 2; at++) reader.readEnumeration()
  for (let at = 0; at < 2; at++) reader.readInt()
  reader.readBoolean()
  return { base: base.toLowerCase(), filter: FilterParser.parse(reader) }
}

/** Each choice of one value an attribute: a filter of the package looks at one. */
const choicesOf = ({ attributes }: Entry) =>
  Object.entries(attributes).reduce<Record<string, string>[]>(
    (choices, [name, values]) =>
      choices.flatMap((choice) =>
        (values.length > 0 ? values : ['']).map((value) => ({ ...choice, [name.toLowerCase()]: value })),
      ),
    [{}],
  )

/** Whole messages of a stream that brings them in any pieces. */
function eachMessage(socket: net.Socket, take: (message: Buffer) => void): void {
  let waiting: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes])
    for (;;) {
      if (waiting.length < 2) return
      const reader = new BerReader(waiting)
      reader.readByte()
      const start = reader.readLength()
      if (start === null || waiting.length < start + reader.length) return
      const message = waiting.subarray(0, start + reader.length)
      waiting = waiting.subarray(message.length)
      take(message)
    }
  })
}

const environment = {
  LDAP_BASE: 'DC=fabrica,DC=local',
  LDAP_USER: SERVICE.dn,
  LDAP_PASSWORD: SERVICE.password,
  LDAP_GROUPS: `admin=${groupOf('Painel-Admin')};lider=${groupOf('Lideres')};operador=${groupOf('Painel')}`,
  LDAP_CA_FILE: certificateFile,
}

const findIn = (entries: readonly Entry[], base: string, filter: Filter): Entry[] =>
  entries.filter(
    (entry) => entry.dn.toLowerCase().endsWith(base) && choicesOf(entry).some((choice) => filter.matches(choice)),
  )

type Fault = 'busy' | 'drops' | 'silent' | 'no groups' | null

function codeOf(base: string, fault: Fault): number {
  if (fault === 'busy') return UNAVAILABLE
  const isUnseen = fault === 'no groups' && base.startsWith('dc=')
  const isKnown = base === '' || base.endsWith(DOMAIN)
  return isUnseen || !isKnown ? NO_SUCH_OBJECT : SUCCESS
}

type Options = { security?: 'ldaps' | 'starttls' | 'none'; people?: Entry[] }

/**
 * Answers bind and search over TCP and TLS as a directory does, from the entries in `people`. A change there, or in `fault`,
 * holds from the next request on. Its starter closes it: a journey has no end of a test as Vitest has.
 */
export async function startDirectory({ security = 'ldaps', people = [] }: Options = {}) {
  /** What arrived, in order; a password that came without TLS is said so. */
  const heard: string[] = []
  const directory = {
    people,
    heard,
    /**
     * Of searches. busy: answers that it cannot. drops: closes the connection. silent: says nothing. no groups: there is nothing
     * where the domain's are.
     */
    fault: null as Fault,
    /** Searches are answered once it is over. */
    until: Promise.resolve(),
    env: {} as Record<string, string>,
    close: async () => {},
  }
  const sockets = new Set<net.Socket>()

  function bind({ id, reader }: Request, socket: net.Socket): void {
    reader.readInt()
    const dn = reader.readString() ?? ''
    const password = reader.readString(Ber.Context) ?? ''
    heard.push(`bind ${dn}${socket instanceof tls.TLSSocket ? '' : ' in clear'}`)
    const all = [...directory.people, { ...SERVICE, attributes: {} }]
    // as every directory: without a password it is nobody's bind, and succeeds
    const isGood = password === '' || all.some((one) => one.dn === dn && one.password === password)
    socket.write(resultOf(id, ProtocolOperation.LDAP_RES_BIND, isGood ? SUCCESS : REFUSED_PASSWORD))
  }

  async function search({ id, reader }: Request, socket: net.Socket): Promise<void> {
    const { base, filter } = readSearch(reader)
    heard.push(`search ${filter.toString()}`)
    await directory.until
    if (directory.fault === 'silent') return
    if (directory.fault === 'drops') return void socket.destroy()
    const code = codeOf(base, directory.fault)
    if (code === SUCCESS) for (const one of findIn(directory.people, base, filter)) socket.write(entryOf(id, one))
    socket.write(resultOf(id, ProtocolOperation.LDAP_RES_SEARCH, code))
  }

  function upgrade({ id, reader }: Request, socket: net.Socket): void {
    const isOffered = security === 'starttls' && reader.readString(Ber.Context) === START_TLS
    heard.push('starttls')
    socket.removeAllListeners('data')
    socket.write(resultOf(id, ProtocolOperation.LDAP_RES_EXTENSION, isOffered ? SUCCESS : UNAVAILABLE))
    if (isOffered) serve(new tls.TLSSocket(socket, { isServer: true, cert: pem, key: pem }))
  }

  function serve(socket: net.Socket): void {
    sockets.add(socket)
    socket.on('error', () => undefined)
    eachMessage(socket, (message) => {
      const request = readRequest(message)
      if (request.operation === ProtocolOperation.LDAP_REQ_BIND) bind(request, socket)
      else if (request.operation === ProtocolOperation.LDAP_REQ_SEARCH) void search(request, socket)
      else if (request.operation === ProtocolOperation.LDAP_REQ_EXTENSION) upgrade(request, socket)
      else socket.end()
    })
  }

  const server = security === 'ldaps' ? tls.createServer({ cert: pem, key: pem }, serve) : net.createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  directory.env = { ...environment, LDAP_URL: `${security === 'ldaps' ? 'ldaps' : 'ldap'}://127.0.0.1:${port}` }
  directory.close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return directory
}
