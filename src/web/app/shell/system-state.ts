import { Cloud, CloudOff, Database, DatabaseZap, type LucideIcon, Server, ServerOff } from 'lucide-react'
import { ERP_ACCESS_REFUSED } from '../../../contract/errors.ts'
import type { Status } from '../../../contract/settings.ts'

/** 'unknown': behind something that does not answer. One cause is one alarm. 'unset': nobody has named one yet, which is none. */
export type LightState = 'on' | 'off' | 'unknown' | 'unset'
export type Light = {
  key: 'api' | 'database' | 'erp'
  name: string
  state: LightState
  /** As the specification words it. */
  text: string
  /** The fault, after the light's name. */
  trouble: string
}

/** A database that is away does not say what it is: `known` is what it was. */
const databaseText = (now: Status['database'], known: Status['database']) =>
  `${(now === 'offline' ? known : now) === 'sqlite' ? 'SQLite' : 'MySQL'}: ${now === 'offline' ? 'Desconectado' : 'Conectado'}`

export type SystemState = {
  /** Null while the server does not answer. */
  now: Status | null
  lights: readonly Light[]
  hasNetwork: boolean
  /** The server answers, and its event stream is held on the way. */
  isSlowed: boolean
  /** By this device's clock; 0 before the first answer. */
  answeredAt: number
}

const troubleOf = (light: Pick<Light, 'key' | 'state'>, isRefusing: boolean): string => {
  if (light.state === 'unknown') return UNKNOWN_TEXT
  if (light.state === 'unset') return UNSET_TEXT
  return light.key === 'erp' && isRefusing ? 'sem acesso' : 'fora do ar'
}

export const lightIcons: Record<Light['key'], { On: LucideIcon; Off: LucideIcon }> = {
  api: { On: Cloud, Off: CloudOff },
  database: { On: Database, Off: DatabaseZap },
  erp: { On: Server, Off: ServerOff },
}

export const UNKNOWN_TEXT = 'sem notícia'
const UNSET_TEXT = 'não configurado'

/**
 * Lights of database, ERP and network. `now`: the server's status, null while it does not answer. Without network on
 * this device nothing is known of any of them.
 */
export function lightsOf(
  now: (Pick<Status, 'database' | 'erp' | 'erpAccess'> & Partial<Pick<Status, 'erpConfigured'>>) | null,
  { knownDatabase, isOnline }: { knownDatabase: Status['database']; isOnline: boolean },
): Light[] {
  const stateOf = (isOn: boolean): LightState => (now === null ? 'unknown' : isOn ? 'on' : 'off')
  const database = now?.database ?? 'offline'
  const isRefusing = now?.erp === 'online' && now.erpAccess === 'refused'
  const isErpOn = now?.erp === 'online' && !isRefusing
  // a server of the version before does not say
  const isUnset = now?.erpConfigured === false
  const lights: Omit<Light, 'trouble'>[] = [
    {
      key: 'api',
      name: 'API',
      state: now ? 'on' : isOnline ? 'off' : 'unknown',
      text: `API: ${now ? 'Online' : 'Offline'}`,
    },
    {
      key: 'database',
      name: 'Banco',
      state: stateOf(database !== 'offline'),
      text: databaseText(database, knownDatabase),
    },
    {
      key: 'erp',
      name: 'ERP',
      state: isUnset ? 'unset' : stateOf(isErpOn),
      text: isRefusing ? ERP_ACCESS_REFUSED : `ERP: ${isUnset ? UNSET_TEXT : isErpOn ? 'Online' : 'Offline'}`,
    },
  ]
  return lights.map((light) => ({ ...light, trouble: troubleOf(light, isRefusing) }))
}
