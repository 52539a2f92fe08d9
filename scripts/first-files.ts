// Tells the server which files a screen needs, so that a browser asks for them together with the page.
import type { Plugin } from 'vite'
import { links } from '../src/web/links.ts'

/** The screens that most days begin with or are reloaded on; any other takes one question more. */
const screens: Record<string, string> = {
  [links.login]: 'login/LoginScreen.tsx',
  [links.dashboard]: 'dashboard/DashboardScreen.tsx',
  [links.cutCrimp]: 'search/SearchScreen.tsx',
  [links.itemEdit]: 'item-edit/ItemEditScreen.tsx',
  [links.junctions]: 'junctions/JunctionsScreen.tsx',
  [links.cutCheck]: 'cut-check/CutCheckScreen.tsx',
}

export const firstFiles: Plugin = {
  name: 'first-files',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const withImports = (fileName: string, found: Set<string>) => {
      if (found.has(fileName)) return found
      found.add(fileName)
      for (const imported of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) {
        withImports(imported, found)
      }
      return found
    }
    const app = chunks.find(({ name, isEntry }) => isEntry && name === 'index')
    if (!app) throw new Error('The page has no script')
    const styles = [...(app.viteMetadata?.importedCss ?? [])]
    const ofEveryScreen = withImports(app.fileName, new Set())
    const weightOf = (fileName: string) => chunks.find((chunk) => chunk.fileName === fileName)?.code.length ?? 0
    const files = Object.entries(screens).map(([path, screen]) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/web/screens/${screen}`))
      if (!chunk) throw new Error(`No chunk begins with the screen ${screen}`)
      const scripts = [...withImports(chunk.fileName, new Set(ofEveryScreen))]
      // The heaviest first: otherwise the line is idle while the many small ones are asked for.
      return [path, [...styles, ...scripts.sort((a, b) => weightOf(b) - weightOf(a))]] as const
    })
    this.emitFile({ type: 'asset', fileName: 'first-files.json', source: JSON.stringify(Object.fromEntries(files)) })
  },
}
