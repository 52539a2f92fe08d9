import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Input } from '../../contract/endpoint.ts'
import type { FieldError } from '../../contract/errors.ts'
import {
  type InstallationSettings,
  installationSettings,
  type PageSecret,
  type PageText,
  type PageVariable,
  pageDefaults,
  pageSecretNames,
  pageSecrets,
  pageTexts,
  pageVariables,
} from '../../contract/installation-settings.ts'
import { plantsOf, plantsText } from '../../domain/plant/plants.ts'
import { findFault } from '../config.ts'
import { bind } from '../http/bind.ts'
import { Refused, refuseField } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { listOtherReports } from '../store/alarms.ts'
import { countOpenDeliveries } from '../store/outbox.ts'
import {
  deleteSetting,
  findInstallation,
  findStandIn,
  replaceInstallation,
  type StoredInstallation,
} from '../store/settings.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import {
  dropFormerSecrets,
  isFixed,
  readBoth,
  readSecrets,
  type SecretSet,
  secretsOf,
  textsOfPage,
  writeSecrets,
} from '../upkeep/installation-settings.ts'
import { LABELS, readPlants } from './settings.ts'

/** A delivery under way ends within this, or its outcome is unknown. */
const OUTBOX_WAIT_MS = 5000

const isSecret = (name: PageVariable): name is PageSecret => Object.hasOwn(pageSecrets, name)

type Texts = Record<string, string>

/** One that a file wrote may hold a login. */
const shownAddress = (text: string) => text.replace(/\/\/[^/@]*@/, '//')

async function readInstallation({ db, config, installation }: Context): Promise<InstallationSettings> {
  const { env, version: runningVersion } = installation
  const { stored, secrets } = await readBoth(config, () => findInstallation(db.read))
  const texts = textsOfPage(env, stored, secrets)
  const sourceOf = (name: PageVariable) => {
    if (isFixed(name, env)) return 'environment' as const
    return texts[name] === undefined ? ('default' as const) : ('page' as const)
  }
  const textOf = (name: PageText) => env[name] ?? texts[name] ?? pageDefaults[name]
  const plants = plantsText(await readPlants(db.read, { plants: plantsOf(textOf('PLANTS')) }))
  return {
    version: stored.version,
    runningVersion,
    isDemonstration: config.mode === 'demonstration',
    variables: [
      ...pageTexts.map((name) => {
        const value = name === 'PLANTS' ? plants : shownAddress(textOf(name))
        return { name, value, source: sourceOf(name), isSet: value !== '' }
      }),
      ...pageSecretNames.map((name) => {
        const isSet = (env[name] ?? texts[name]) !== undefined
        return { name, value: null, source: sourceOf(name), isSet }
      }),
    ],
  }
}

/** In the words of a start that meets the same; null: it is good. */
async function faultOf(name: PageVariable, text: string | null, { db, config, installation }: Context) {
  if (isFixed(name, installation.env)) return 'Definido por variável de ambiente: muda-se só lá'
  if (config.mode === 'demonstration' && name.startsWith('ERP_')) return 'A demonstração tem o seu próprio ERP'
  if (text === null) {
    const isNeeded = name === 'ERP_URL' && (await findStandIn(db.read)) !== null
    return isNeeded ? 'Este banco já trabalhou com um ERP: troque o endereço em vez de apagá-lo' : null
  }
  const fault = findFault(name, text)
  if (fault !== null) return fault.replace(/^(inválido: )?(.)/, (_, __, first: string) => first.toUpperCase())
  if (name === 'ERP_URL' && shownAddress(text) !== text) return 'Sem usuário nem senha no endereço: há campos para eles'
  return null
}

type Change = Input<typeof installationSettings.change>['body']
type Changes = ReadonlyMap<PageVariable, string | null>

const addressOf = (name: PageVariable): PageVariable | null => (isSecret(name) ? pageSecrets[name] : null)

const opensOneOf = (changes: Changes, name: PageVariable): boolean => {
  const address = addressOf(name)
  return address !== null && changes.has(address)
}

/** Changed values, without the blanks around them, and each secret that came with the address that it opens. */
async function readChanges(
  { values }: Change,
  before: Texts,
  context: Context,
): Promise<Map<PageVariable, string | null>> {
  const changes = new Map<PageVariable, string | null>()
  const details: FieldError[] = []
  for (const name of pageVariables) {
    const raw = values[name]
    if (raw === undefined) continue
    // blanks may be part of a password
    const text = isSecret(name) ? raw : (raw?.trim() ?? null)
    const message = await faultOf(name, text, context)
    if (message !== null) details.push({ field: `values.${name}`, message })
    // in the table an address comes before what opens it
    else if (text !== (before[name] ?? null) || opensOneOf(changes, name)) changes.set(name, text)
  }
  if (details.length > 0) throw new Refused('input_invalid', { details })
  return changes
}

/** Database values and file after the changes. A secret goes with the address that it was for. */
function nextOf(
  changes: Changes,
  { stored, secrets, env }: { stored: StoredInstallation; secrets: SecretSet; env: Context['installation']['env'] },
): { stored: StoredInstallation; secrets: SecretSet } {
  const values = { ...stored.values }
  for (const name of pageTexts) {
    const text = changes.get(name)
    if (text === null) delete values[name]
    else if (text !== undefined) values[name] = text
  }
  const next = { ...stored, version: stored.version + 1, values }
  const written: SecretSet = { ...secrets }
  // in the table an address comes before what opens it
  for (const name of pageSecretNames) {
    const text = changes.get(name)
    if (text === undefined) continue
    const opens = pageSecrets[name]
    const address = opens === null ? null : (env[opens] ?? textsOfPage(env, next, written)[opens] ?? null)
    if (text === null) delete written[name]
    else written[name] = { value: text, address }
  }
  const good = textsOfPage(env, next, written)
  const left: SecretSet = Object.fromEntries(Object.entries(written).filter(([name]) => good[name] !== undefined))
  return isDeepStrictEqual(left, secrets)
    ? { stored: next, secrets }
    : { stored: { ...next, secrets: randomUUID() }, secrets: left }
}

/**
 * Secrets that stayed behind with the address that they were for. One of the ERP would end all deliveries, so its new address
 * is refused without it; a webhook without one is normal, and the page says it.
 */
function droppedBy(changes: Changes, before: Texts, after: Texts): PageSecret[] {
  const opened = pageSecretNames.filter((name) => opensOneOf(changes, name) && after[name] === undefined)
  const missing = opened.filter((name) => after[addressOf(name) ?? name] !== undefined)
  if (missing.includes('ERP_PASSWORD')) refuseField('values.ERP_PASSWORD', 'Endereço novo: escreva a senha')
  return missing.filter((name) => before[name] !== undefined && !changes.has(name))
}

/** Another server would go on with what it was started with, and has no file of this one's. */
async function refuseOfSeveral({ db, now, serverWatch }: Context): Promise<void> {
  const others = await listOtherReports(db.read, serverWatch.by.server, now())
  if (others.length > 0) throw new Refused('several_servers')
}

/**
 * Refuses another ERP while outcomes are open: an inquiry there would learn that nothing arrived, and the panel would
 * send again.
 */
async function refuseUnsettled({ db }: Context): Promise<void> {
  const { sending = 0, unknown = 0 } = await countOpenDeliveries(db.read)
  if (sending + unknown > 0) throw new Refused('erp_unsettled', { values: { count: sending + unknown } })
}

/** Resolves to the secrets that it dropped. */
async function changeInstallation(change: Change, call: Call): Promise<PageSecret[]> {
  const { db, config, installation, versionSeen } = call
  const { env, restart } = installation
  const stored = await findInstallation(db.read)
  if (versionSeen !== null && versionSeen !== stored.version) throw new Refused('changed_meanwhile')
  const secrets = secretsOf(readSecrets(config), stored)
  const before = textsOfPage(env, stored, secrets)
  const changes = await readChanges(change, before, call)
  if (changes.size === 0) return []
  const next = nextOf(changes, { stored, secrets, env })
  const after = textsOfPage(env, next.stored, next.secrets)
  const dropped = droppedBy(changes, before, after)
  const isOfErp = changes.has('ERP_URL') || changes.has('ERP_COMPANY')
  if (isOfErp || [...changes.keys()].some(isSecret)) await refuseOfSeveral(call)
  const leavesErp = isOfErp && change.isSameErp !== true
  if (leavesErp) await refuseUnsettled(call)
  try {
    if (leavesErp) {
      await call.outbox.stop(OUTBOX_WAIT_MS)
      await refuseUnsettled(call)
    }
    const { secrets: id } = next.stored
    if (id !== undefined && id !== stored.secrets) writeSecrets(config, { ...secrets, next: { id, set: next.secrets } })
    await db.transaction(async (tx) => {
      if (!(await replaceInstallation(tx, stored, next.stored))) throw new Refused('changed_meanwhile')
      if (changes.has('PLANTS')) await deleteSetting(tx, LABELS)
      for (const name of pageVariables) {
        const [was, is] = [before[name], after[name]]
        if (was === is) continue
        const shown = (text: string | undefined) =>
          isSecret(name) ? { isSet: text !== undefined } : { value: text ?? null }
        const event = { action: 'settings_changed', kind: 'settings', id: name } as const
        await recordAuditEvent(tx, call, { ...event, was: shown(was), is: shown(is) })
      }
    })
    dropFormerSecrets(call, next.stored)
  } finally {
    // also after a refusal: the outbox may have stopped
    restart()
  }
  return dropped
}

export function installationSettingsRoutes(app: FastifyInstance, context: Context): void {
  /** One at a time: each writes the whole file. */
  let turn: Promise<unknown> = Promise.resolve()

  bind(app, context, installationSettings.get, (_, call) => readInstallation(call))

  bind(app, context, installationSettings.change, async ({ body }, call) => {
    const changed = turn.then(() => changeInstallation(body, call))
    turn = changed.catch(() => undefined)
    const dropped = await changed
    return { ...(await readInstallation(call)), dropped }
  })
}
