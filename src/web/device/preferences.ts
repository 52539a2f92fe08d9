import { type CallTeam, callTeams } from '../../contract/values.ts'
import { logFailure } from './log.ts'
import { makeStore, readJson } from './store.ts'

/** Preferences chosen for this device; everybody who uses it shares them. */

export const themes = ['system', 'light', 'dark'] as const
/** Percent of the normal size. The zoom of browsers is locked. */
export const textSizes = ['100', '115', '130'] as const
const equipmentViews = ['cards', 'rows'] as const
export const DEVICE_NAME_LENGTH_MAX = 80

/** `machines`: the ids of those that work is done on there; none: of all. */
type Workplace = { name: string; machines: readonly string[] }

export type Preferences = {
  theme: (typeof themes)[number]
  textSize: (typeof textSizes)[number]
  hasScanSound: boolean
  /** What its reader puts before each label, after it and between its parts, a line each; empty: nothing. */
  readerSigns: string
  /** The same code read again answers 'Sim'. */
  confirmsBySecondScan: boolean
  /** Goes with recordings and log-ins, so that a tablet can be told from another; may be empty. */
  deviceName: string
  /** Where the device stands; without a name it has no place of its own. */
  workplace: Workplace
  /** Header and sidebar. */
  isFrameShown: boolean
  /** How the machines of the plant are shown. */
  equipmentView: (typeof equipmentViews)[number]
  /** Rings when somebody calls one of them. */
  soundingTeams: readonly CallTeam[]
}

const KEY = 'preferences'
const usual: Preferences = {
  theme: 'system',
  textSize: '100',
  hasScanSound: true,
  readerSigns: '',
  confirmsBySecondScan: false,
  deviceName: '',
  workplace: { name: '', machines: [] },
  isFrameShown: true,
  equipmentView: 'cards',
  soundingTeams: [],
}

const choices: Record<string, readonly string[]> = { theme: themes, textSize: textSizes, equipmentView: equipmentViews }

/** Whatever is stored, also by another version or by hand. */
export function readPreferences(stored: string | null): Preferences {
  const read: Stored = readJson(stored) ?? {}
  const good = Object.entries(read).filter(
    ([name, value]) =>
      typeof value === typeof usual[name as keyof Preferences] && (choices[name]?.includes(String(value)) ?? true),
  )
  const chosen: Preferences = { ...usual, ...Object.fromEntries(good) }
  return {
    ...chosen,
    deviceName: deviceNameOf(chosen.deviceName),
    workplace: readWorkplace(read.workplace),
    soundingTeams: readTeams(read),
  }
}

/** A page of the version before knows maintenance alone, by a name of its own. */
function readTeams({ soundingTeams, hasCallSound }: Stored): readonly CallTeam[] {
  if (Array.isArray(soundingTeams)) return callTeams.filter((team) => soundingTeams.includes(team))
  return hasCallSound === true ? ['manutencao'] : []
}

function readWorkplace(stored: unknown): Workplace {
  const { name, machines } = (stored ?? {}) as Partial<Record<keyof Workplace, unknown>>
  if (typeof name !== 'string' || deviceNameOf(name) === '') return usual.workplace
  const ids = Array.isArray(machines) ? machines.filter((id) => typeof id === 'string') : []
  return { name: deviceNameOf(name), machines: ids }
}

/** One line, of what the server takes. */
export const deviceNameOf = (typed: string): string =>
  typed
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, DEVICE_NAME_LENGTH_MAX)

type Stored = Partial<Record<keyof Preferences | 'hasCallSound', unknown>>

const current = makeStore<Preferences | null>(null)

export const preferences = (): Preferences => current.get() ?? readPreferences(localStorage.getItem(KEY))

/** False: this device keeps nothing, so the choice lasts until the page is left. */
export function changePreferences(change: Partial<Preferences>): boolean {
  const changed = { ...preferences(), ...change }
  show(changed)
  try {
    const hasCallSound = changed.soundingTeams.includes('manutencao')
    localStorage.setItem(KEY, JSON.stringify({ ...changed, hasCallSound }))
    return true
  } catch (error) {
    logFailure('Preferências não guardadas neste dispositivo', error, 'Warning')
    return false
  }
}

function show(changed: Preferences): void {
  const { dataset } = document.documentElement
  if (changed.theme === 'system') delete dataset.theme
  else dataset.theme = changed.theme
  dataset.text = changed.textSize
  current.set(changed)
}

export const usePreferences = (): Preferences => current.use() ?? preferences()

/** Before anything is drawn, so that no other theme flashes up. Other tabs of this device follow. */
export function startPreferences(): void {
  show(preferences())
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) show(readPreferences(newValue))
  })
}
