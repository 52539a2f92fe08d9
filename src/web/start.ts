import { askEarly } from './first-readings.ts'
import { watchInstallOffer } from './install-offer.ts'
import { logFailure, watchErrors } from './log.ts'
import { startPreferences } from './preferences.ts'
import { restoreSession } from './session.ts'
import { nextTurn } from './turns.ts'
import './theme.css'

const RETRY_MS = 5000

/** What does not arrive is asked for again with the whole page: nobody on the shop floor would know to reload it. */
async function loadPanel(): Promise<typeof import('./main.tsx')> {
  try {
    return await import('./main.tsx')
  } catch (error) {
    logFailure('Início', error)
    const note = document.querySelector('#root [role=status]')
    if (note) note.textContent = 'Sem conexão com o servidor. Tentando novamente...'
    setTimeout(() => window.location.reload(), RETRY_MS)
    return await new Promise(() => undefined)
  }
}

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
  const { startApp } = await loadPanel()
  await nextTurn()
  await session
  await startApp()
}

void start()
