// `node scripts/run.mjs FILE …`: a program of the project on the project's Node, whatever Node npm runs on.
import { isOldNode, projectNode, runOn } from './project-node.mjs'

const node = projectNode()
if (node) runOn(isOldNode ? node : process.execPath, process.argv.slice(2))
else {
  console.error(`O projeto precisa do Node 24 ou mais novo, este é o ${process.versions.node}. Rode: npm start`)
  process.exitCode = 1
}
