import { defineConfig } from '@playwright/test'
import { findHeadlessChromium } from './scripts/programs.mjs'
import { launchOptionsOf } from './test/support/journeys/chromium.ts'
import { limitMs } from './test/support/slowness.ts'

const chromium = findHeadlessChromium()
if (!chromium) throw new Error('Chromium não encontrado: instale o pacote chromium e repita os testes.')

/** Journeys start their own panel; see test/support/journeys/journey.ts. */
export default defineConfig({
  testDir: 'test/journeys',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results/journeys',
  forbidOnly: true,
  // Another try tells a slow machine from a defect; what needed one is named at the end of the run, and a file that needs two fails.
  retries: 1,
  // Each worker has a server, a simulator and a browser of its own; two of them leave half of two cores idle.
  workers: 3,
  // no statement about the product: a journey that passes never waits for them
  timeout: limitMs(300_000),
  expect: { timeout: limitMs(30_000), toPass: { timeout: limitMs(60_000) } },
  use: {
    actionTimeout: limitMs(30_000),
    navigationTimeout: limitMs(60_000),
    browserName: 'chromium',
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1366, height: 768 },
    // Drawing each step of a fade takes a tenth of both cores. Journeys about what moves, or is pressed while it does, ask for motion.
    reducedMotion: 'reduce',
    // recording every journey would take a third of its time
    trace: 'on-first-retry',
    // Journeys that speak of it allow it; in the others it would only fetch the whole panel once more.
    serviceWorkers: 'block',
    launchOptions: launchOptionsOf(chromium),
  },
})
