// The build for older browsers: the other one asks for a Chromium that no tablet of the plant has.
import {
  getDocument,
  PasswordException,
  PDFWorker,
  RenderingCancelledException,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { scriptUrl } from '../../device/script-urls.ts'
import { tooOldText } from '../../text/browsers.ts'
import { type OpenedDocument, Unshowable } from './opened-document.ts'

/** A PDF speaks of points, 72 to the inch; the web of pixels, 96 to the inch. */
const PX_PER_POINT = 96 / 72

/** Where the build puts what a file may need beside the library: decoders of scans, fonts of symbols. */
const EXTRAS_URL = `/assets/pdfjs-${version}/`
/** Character maps of Asian scripts: too many files to keep on every tablet, so these come from the server. */
const CMAPS_URL = `/pdfjs-${version}/cmaps/`

/** No page's picture needs more than this, whatever a file claims. */
const IMAGE_PX_MAX = 2 ** 26

/** Each file is read by a worker of its own, so that leaving one stops all work on it. */
export async function openPdf(file: Blob): Promise<OpenedDocument> {
  // the youngest function that the library calls and does not bring
  if (!('withResolvers' in Promise)) throw new Unshowable(tooOldText('os PDF'))
  const port = new Worker(scriptUrl('leitor-de-pdf', workerUrl), { type: 'module' })
  const worker = PDFWorker.create({ port })
  const close = () => {
    worker.destroy()
    port.terminate()
  }
  const task = getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    worker,
    // The Content-Security-Policy allows neither, and a drawing needs neither.
    useWasm: false,
    enableXfa: false,
    disableWorkerRendering: true,
    useWorkerFetch: true,
    wasmUrl: EXTRAS_URL,
    standardFontDataUrl: EXTRAS_URL,
    cMapUrl: CMAPS_URL,
    maxImageSize: IMAGE_PX_MAX,
    verbosity: 0,
  })
  const pdf = await task.promise.catch((cause: unknown) => {
    close()
    const isLocked = cause instanceof PasswordException
    throw new Unshowable(
      isLocked
        ? 'Este PDF tem senha. Peça o arquivo sem senha a quem o enviou.'
        : 'Este PDF está danificado e não pôde ser aberto.',
      { cause },
    )
  })
  return {
    pageCount: pdf.numPages,
    sizeOf: async (number) => {
      const { width, height } = (await pdf.getPage(number)).getViewport({ scale: PX_PER_POINT })
      return { widthPx: width, heightPx: height }
    },
    draw: async ({ page: number, scale, turn, signal }) => {
      const page = await pdf.getPage(number)
      if (signal.aborted) return null
      const viewport = page.getViewport({ scale: scale * PX_PER_POINT, rotation: (page.rotate + turn) % 360 })
      const canvas = document.createElement('canvas')
      canvas.width = Math.round(viewport.width)
      canvas.height = Math.round(viewport.height)
      const rendering = page.render({ canvas, viewport })
      const stop = () => rendering.cancel()
      signal.addEventListener('abort', stop)
      try {
        await rendering.promise
        return canvas
      } catch (error) {
        if (error instanceof RenderingCancelledException) return null
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    textOf: async (number) => {
      const { items } = await (await pdf.getPage(number)).getTextContent()
      return items.map((item) => ('str' in item ? item.str : '')).join(' ')
    },
    close,
  }
}
