import { homedir, hostname, release, totalmem } from 'node:os'
import { alarmChannels, diskFolders, erpFaults } from '../../../contract/health.ts'
import { knownAgent } from '../../../domain/people/agents.ts'
import { type Known, openPseudonyms, type Pseudonyms } from '../../../domain/people/pseudonyms.ts'
import {
  type AlarmKind,
  alarmKinds,
  judgeAlarm,
  type PlantFacts,
  type ServerFacts,
} from '../../../domain/plant/alarms.ts'
import { DAY_MS, toInstant } from '../../../domain/plant/plant-time.ts'
import type { Config, Texts } from '../../config.ts'
import { listAlarms, listReports } from '../../store/alarms.ts'
import type { Db } from '../../store/db/db.ts'
import { findDatabaseBytes, listTablets } from '../../store/health.ts'
import { countOpenDeliveries, findOldestOpenAt } from '../../store/outbox.ts'
import { countPendingByState } from '../../store/recordings.ts'
import { countRetained, findOldestRetainedAt } from '../../store/retained-deliveries.ts'
import { findInstallation } from '../../store/settings.ts'
import { listPeople, listSteps, listTables } from '../../store/support-files.ts'
import { ownProgram, ROOT } from '../identity.ts'
import { readSecrets } from '../installation-settings.ts'
import { readLastAlarms, readLog } from './log.ts'
import { knownOfSettings, listVariables, readSettingRows, type Sources } from './settings.ts'

const TABLETS_SEEN_MS = 7 * DAY_MS

export type OwnFacts = Omit<ServerFacts, 'erp' | 'startedAt'> & {
  erp: ServerFacts['erp'] | null
  startedAt: number | null
}

type Origin = {
  /** The page of a server at work, or the command line, where none need be. */
  madeBy: 'tela' | 'comando'
  now: number
  env: Texts
  /** Null: what stands in the environment is no configuration. */
  config: Config | null
  /** Null: none could be opened. */
  db: Db | null
  /** Present facts of the machine that writes the file; a command knows neither the ERP nor since when it runs. */
  own: OwnFacts | null
  /** The facts that a running server's alarms are judged by. */
  facts: PlantFacts | null
  /** Earlier failures, by the part of the file that needed the thing. */
  faults: Readonly<Faults>
}

const instantOf = (at: number | null) => (at === null ? null : toInstant(at))

/** The error's own words for a part that could not be read, as far as they name nobody. */
const faultText = (error: unknown, { text }: Pseudonyms): string => {
  const { name = '', message = '', code = '' } = (error ?? {}) as Partial<Error> & { code?: unknown }
  const kind = code ? `[${String(code)}] ` : name === 'Error' ? '' : `${name}: `
  return `${kind}${text(message)}`
}

export type Faults = Record<string, unknown>

/** Tries, and notes why it could not. */
export async function attempt<T>(faults: Faults, part: string, work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    faults[part] = error
    return null
  }
}

async function readSources({ env, config, db }: Origin, faults: Faults): Promise<Sources> {
  const secrets = config && (await attempt(faults, 'secrets.json', () => readSecrets(config)))
  const stored = db && (await attempt(faults, 'instalacao', () => findInstallation(db.read)))
  return { env, stored: stored ?? { version: 0, values: {} }, secrets: secrets ?? {} }
}

/** Null where they could not be read: then no free text is safe either. */
async function readPeople({ db }: Origin): Promise<string[][] | null> {
  try {
    return db === null ? null : await listPeople(db.read)
  } catch {
    return null
  }
}

function knownOf({ config }: Origin, sources: Sources, people: readonly string[][]): Known {
  const known = knownOfSettings(sources)
  const folders = config === null ? [] : [config.dataDir, config.backupDir, config.documentsDir]
  return {
    ...known,
    people: [...people, ...known.people],
    addresses: [...known.addresses, hostname()],
    // it may have come from a file
    secrets: [...known.secrets, config?.directory?.password ?? ''],
    paths: [...known.paths, ...folders, process.cwd(), ROOT, homedir()],
  }
}

const versionOf = ({ own, config, db }: Origin) => ({
  painel: ownProgram().version,
  dia: ownProgram().day,
  node: process.version,
  sistema: `${process.platform} ${release()} ${process.arch}`,
  memoriaBytes: totalmem(),
  noArDesde: instantOf(own?.startedAt ?? null),
  modo: config?.mode ?? null,
  banco: db?.kind ?? null,
})

/** Number and commit: a device says its own. */
const versionWord = (version: string | null) =>
  version !== null && /^v?\d+(\.\d+)+(-([\da-f]{7,40}|alterado|sem-commit))?$/.test(version) ? version : null

const DAY = /^\d{4}-\d\d-\d\d$/

/** Facts put together by code: numbers and names of its own. Any other text may be anything, and is hidden. */
function plainFacts(value: unknown, words: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return words.has(value) || DAY.test(value) ? value : '…'
  if (Array.isArray(value)) return value.map((one) => plainFacts(one, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainFacts(one, words)]))
}

/** Words that `ServerFacts` are made of. */
const factWords: ReadonlySet<string> = new Set([
  ...diskFolders,
  ...erpFaults,
  'ok',
  'refused',
  'unknown',
  'erp',
  'panel',
])

const serverOf = ({ server, version, startedAt, readAt, ...facts }: OwnFacts, { address }: Pseudonyms) => {
  const [, host = server, port = ''] = /^(.*)(:\d+)$/.exec(server) ?? []
  return {
    servidor: `${address(host)}${port}`,
    versao: versionWord(version),
    noArDesde: instantOf(startedAt),
    lidoEm: instantOf(readAt),
    ...(plainFacts(facts, factWords) as object),
  }
}

/** Beside the one that writes the file those that have reported within a day, silent ones too. */
async function listServers({ own, now, madeBy }: Origin, { read }: Db): Promise<OwnFacts[]> {
  const reports = await listReports(read, now - DAY_MS)
  const others = madeBy === 'tela' ? reports.filter(({ server }) => server !== own?.server) : reports
  return own === null ? others : [own, ...others]
}

async function readSystem(origin: Origin, db: Db, pseudonyms: Pseudonyms) {
  const { person, device } = pseudonyms
  const servers = await listServers(origin, db)
  const tablets = await listTablets(db.read, origin.now - TABLETS_SEEN_MS)
  return {
    bancoBytes: await findDatabaseBytes(db),
    servidores: servers.map((server) => serverOf(server, pseudonyms)),
    dispositivos: tablets.map(({ name, agent, fullName, version, waiting, lastSeenAt }) => ({
      dispositivo: device(name),
      navegador: knownAgent(agent),
      pessoa: person(fullName),
      versao: versionWord(version),
      espera: waiting,
      vistoEm: toInstant(lastSeenAt),
    })),
  }
}

const readQueues = async ({ read }: Db) => ({
  entregas: await countOpenDeliveries(read),
  apontamentos: await countPendingByState(read),
  retidos: await countRetained(read),
  maisAntigoNaFila: instantOf(await findOldestOpenAt(read)),
  retidoMaisAntigo: instantOf(await findOldestRetainedAt(read)),
})

async function readAlarms({ facts }: Origin, { read }: Db, pseudonyms: Pseudonyms) {
  const channels: readonly string[] = ['log', ...alarmChannels]
  const judged = (kind: AlarmKind, plant: PlantFacts) =>
    judgeAlarm(kind, plant).map(({ subject, ...judgement }) => {
      const [server = '', ...part] = subject.split(' ')
      return {
        ...{
          alarme: kind,
          de: [server && pseudonyms.address(server), pseudonyms.text(part.join(' '))].join(' ').trim(),
          ligado: judgement.isOn,
        },
        texto: judgement.isOn ? pseudonyms.text(judgement.text) : '',
      }
    })
  return {
    agora: facts && alarmKinds.flatMap((kind) => judged(kind, facts)),
    ditos: (await listAlarms(read))
      .filter(({ kind, channel }) => alarmKinds.includes(kind) && channels.includes(channel))
      .map(({ kind, channel, sum: { begunAt, isSaid, saidAt } }) => ({
        ...{ alarme: kind, canal: channel, desde: instantOf(begunAt), dito: isSaid, ditoEm: instantOf(saidAt) },
      })),
    ultimos: await readLastAlarms(read, pseudonyms),
  }
}

const readSchema = async (db: Db) => ({ passos: await listSteps(db.read), tabelas: await listTables(db.read) })

/**
 * All that support needs to know of an installation, as the text of one file. A part that cannot be read is named in
 * `naoLido`, and the others are there all the same.
 */
export async function gatherSupportBundle(origin: Origin): Promise<string> {
  const { db, now, madeBy } = origin
  const faults = { ...origin.faults }
  const sources = await readSources(origin, faults)
  const people = await readPeople(origin)
  const pseudonyms = openPseudonyms(knownOf(origin, sources, people ?? []))
  const part = async (name: string, read: (db: Db) => Promise<unknown>): Promise<unknown> =>
    db && (await attempt(faults, name, () => read(db)))
  const named = (name: string, read: (db: Db) => Promise<unknown>) =>
    part(name, async (store) => {
      if (people === null) throw new Error('os nomes das pessoas não puderam ser lidos')
      return await read(store)
    })
  const parts = {
    configuracao: {
      variaveis: listVariables(sources),
      banco: await part('configuracao', ({ read }) => readSettingRows(read)),
    },
    sistema: await part('sistema', (store) => readSystem(origin, store, pseudonyms)),
    filas: await part('filas', readQueues),
    alarmes: await named('alarmes', (store) => readAlarms(origin, store, pseudonyms)),
    esquema: await part('esquema', readSchema),
    log: await named('log', ({ read }) => readLog(read, now, pseudonyms)),
  }
  const head = {
    arquivo: 'Suporte do Painel Industrial',
    feitoEm: toInstant(now),
    por: madeBy,
    versao: versionOf(origin),
  }
  const unread = Object.entries(faults).map(([name, error]) => [name, faultText(error, pseudonyms)])
  return `${JSON.stringify({ ...head, naoLido: Object.fromEntries(unread), ...parts }, null, 1)}\n`
}
