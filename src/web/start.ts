import { askEarly } from './first-readings.ts'
import { watchInstallOffer } from './install-offer.ts'
import { logFailure, watchErrors } from './log.ts'
import { startPreferences } from './preferences.ts'
import { restoreSession } from './session.ts'
import { nextTurn } from './turns.ts'
import './theme.css'

/** What can be done while the panel itself is still on its way. */
async function start() {
  watchErrors()
  watchInstallOffer()
  startPreferences()
  await nextTurn()
  const session = restoreSession().catch((error: unknown) => logFailure('Sessão', error))
  askEarly()
  await nextTurn()
  // The first time that a browser is asked about languages costs it as much as half a screen.
  Intl.NumberFormat.supportedLocalesOf('pt-BR')
  const { startApp } = await import('./main.tsx')
  await nextTurn()
  await session
  await startApp()
}

void start()
