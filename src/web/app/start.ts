import { watchInstallOffer } from '../device/install-offer.ts'
import { logFailure, watchErrors } from '../device/log.ts'
import { startPreferences } from '../device/preferences.ts'
import { reloadOnceThere } from '../device/reloads.ts'
import { isStorageBlocked } from '../device/store.ts'
import { nextTurn } from '../device/turns.ts'
import { askEarly } from '../server/first-readings.ts'
import { restoreSession } from '../server/session.ts'
import { tooOldText } from '../text/browsers.ts'
import { showKnownFont } from './font.ts'
import './theme.css'

const SLOW_MS = 10_000
const RETRY_MS = 5000
/** A server that does not answer holds nobody up for longer. */
const SESSION_MS_MAX = 5000

function say(text: string): void {
  const note = document.querySelector('#root [role=status]')
  if (note) note.textContent = text
}

async function keepReloading(): Promise<void> {
  if (!(await reloadOnceThere())) setTimeout(() => void keepReloading(), RETRY_MS)
}

/** Loads the panel. A script that does not arrive reloads the whole page: nobody on the shop floor would know to. */
async function loadPanel(): Promise<typeof import('./main.tsx')> {
  const slow = setTimeout(() => say('A conexão está lenta. Aguardando o servidor...'), SLOW_MS)
  try {
    return await import('./main.tsx').finally(() => clearTimeout(slow))
  } catch (error) {
    logFailure('Início', error)
    say('Sem conexão com o servidor. Tentando novamente...')
    setTimeout(() => void keepReloading(), RETRY_MS)
    return await new Promise(() => undefined)
  }
}

/** Lacks the youngest functions that the panel itself calls. */
const isTooOld = () => !('groupBy' in Map && 'any' in AbortSignal)

/** Does all that needs no panel while that is still on its way. */
async function start() {
  if (isTooOld()) {
    return say(tooOldText('o painel'))
  }
  if (isStorageBlocked()) {
    return say(
      'O navegador bloqueia os dados deste site, e sem eles o painel não funciona. Permita-os e recarregue a página.',
    )
  }
  // a scan made while the panel is on its way
  const keys: KeyboardEvent[] = []
  window.onkeydown = (event) => void keys.push(event)
  watchErrors()
  watchInstallOffer()
  startPreferences()
  showKnownFont()
  await nextTurn()
  const session = restoreSession().catch((error: unknown) => logFailure('Sessão', error))
  await nextTurn()
  askEarly()
  await nextTurn()
  // The first time that a browser is asked about languages costs it as much as half a screen.
  Intl.NumberFormat.supportedLocalesOf('pt-BR')
  const { startApp } = await loadPanel()
  await nextTurn()
  // Counted from here: while the panel was on its way, the question may have waited for the line.
  await Promise.race([session, new Promise((go) => setTimeout(go, SESSION_MS_MAX))])
  await startApp(keys)
}

void start()
