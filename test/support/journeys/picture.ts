import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import { limitMs } from '../slowness.ts'
import { misfitsOf, sizes, type TextSize, textSizes } from './layout.ts'
import { folders, manualPictures, readmePictures } from './pictures.ts'

/** What one picture may take in all sizes and themes, beside the journey's own time. */
const PICTURE_MS_MAX = limitMs(180_000)
const CANVAS_LOOKS_MAX = 5
/** High enough for the whole menu, and for what the plan says in a form. */
const manualSize = { width: 1280, height: 960 }
/** Three of them beside each other are as wide as a page. */
const readmeSize = { width: 430, height: 600 }

/**
 * What stands on the page now, when somebody asks for pictures (`npm run screenshots`, `npm run manual-pictures`); otherwise
 * nothing happens. The page is left as it was: call it where no clock stands still and after what vanishes by itself was seen.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const wanted = process.env.PICTURES
  if (!wanted || (wanted === 'manual' && !manualPictures().has(name))) return
  const journey = test.info()
  journey.setTimeout(journey.timeout + PICTURE_MS_MAX)
  const size = page.viewportSize()
  const { textSize, ...media } = await page.evaluate<Look>(look)
  // Nothing is under the mouse, wherever things go in another size.
  await page.mouse.move(0, 0)
  await (wanted === 'manual' ? takeForManual(page, name) : takeAll(page, name))
  await page.emulateMedia(media)
  if (size) await page.setViewportSize(size)
  await misfitsOf(page, [textSize])
}

/** A person would wait until they are gone. */
const olderNotices = (isHidden: boolean) => `void [...document.querySelectorAll('[aria-label="Avisos"] > *')]
  .slice(0, -1)
  .forEach((notice) => { notice.hidden = ${isHidden} })`

type Look = { textSize: TextSize; colorScheme: 'light' | 'dark'; reducedMotion: 'reduce' | 'no-preference' }

const look = `({
  textSize: document.documentElement.dataset.text ?? '100',
  colorScheme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'reduce' : 'no-preference',
})`

async function takeForManual(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const isSmall = readmePictures().has(name)
  await page.setViewportSize(isSmall ? readmeSize : manualSize)
  await misfitsOf(page, ['100'])
  await page.evaluate('scrollTo(0, 0)')
  if (isSmall) await page.evaluate(olderNotices(true))
  await take(page, { path: join(folders.manual, `${name}.jpeg`), quality: 42 })
  if (isSmall) await page.evaluate(olderNotices(false))
}

async function takeAll(page: Page, name: string): Promise<void> {
  const isDialog = await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().isVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const { width, height } of sizes) {
      await page.setViewportSize({ width, height })
      for (const textSize of textSizes) {
        const file = `${name}-${width}x${height}-${colorScheme}${textSize === '100' ? '' : `-${textSize}`}.png`
        for (const misfit of await misfitsOf(page, [textSize])) console.log(`${file}: ${misfit}`)
        // Two screens' worth tell how a list goes on.
        const pageHeight = (await page.locator('html').boundingBox())?.height ?? height
        const clip = { x: 0, y: 0, width, height: Math.min(2 * height, pageHeight) }
        await take(page, { path: join(folders.all, file), ...(isDialog ? {} : { fullPage: true, clip }) })
      }
    }
  }
}

/** A page of a PDF is drawn anew in every size: it stands once two looks are alike. */
async function take(page: Page, options: Parameters<Page['screenshot']>[0]): Promise<void> {
  const looks = (await page.locator('canvas').count()) > 0 ? CANVAS_LOOKS_MAX : 1
  let before: Buffer | undefined
  for (let count = 0; count < looks; count++) {
    const now = await page.screenshot({ animations: 'disabled', ...options })
    if (before && now.equals(before)) return
    before = now
  }
}
