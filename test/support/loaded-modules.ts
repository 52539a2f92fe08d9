// Loaded before the server by `--import`: when it ends, which modules it had loaded goes into the file LOADED_FILE.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    loaded.add(url)
    return next(url, context)
  },
})
process.once('exit', () => {
  // only there are Node's own named that nobody asked for by name
  const ownOfNode = (process as typeof process & { moduleLoadList: string[] }).moduleLoadList
  writeFileSync(process.env.LOADED_FILE ?? '', [...loaded, ...ownOfNode].join('\n'))
})
