import { createContext, useContext } from 'react'
import { Settings, settings } from '../../contract/settings.ts'
import { permissions } from '../../domain/people/permissions.ts'
import { readFromDevice, readJson, writeToDevice } from '../device/store.ts'
import { settingsReading } from '../server/first-readings.ts'
import { query } from '../server/query.ts'

const KEY = 'settings'

/** Settings of an installation where nothing was configured. */
export const unanswered: Settings = {
  siteName: 'Unidade 1',
  plants: [
    { code: '010101', label: 'Unidade 1' },
    { code: '020101', label: 'Unidade 2' },
  ],
  timeZone: 'America/Sao_Paulo',
  shifts: ['06:00', '14:00', '22:00'],
  forceUnit: '',
  limitWarningPercent: 80,
  idleMinutes: 0,
  confirmsByQuantity: false,
  limitRoles: [...permissions.limits],
  capabilityNames: 'aiag-2005',
  planMode: 'observar',
}

/** The last answer: a page that starts without its server works by the plant's own clock, shifts and teams. */
export const readCachedSettings = () => Settings.safeParse(readJson(readFromDevice(KEY))).data

export const settingsQuery = query(
  settings.get,
  {},
  {
    read: async (signal) => {
      const answer = await settingsReading.take(signal)
      writeToDevice(KEY, JSON.stringify(answer))
      return answer
    },
  },
)

/** Of the plant, as `SettingsProvider` has them: a form shows some forty of its parts by them, so they are observed once for the page. */
export const SettingsContext = createContext(unanswered)
export const useSettings = (): Settings => useContext(SettingsContext)
