// `node deploy/protheus/make.ts && npm run format`: writes again what a test compares with the adapter and the imitated ERP.
import { writeFileSync } from 'node:fs'
import { openapi } from './contract.ts'
import { httpText, recordExamples } from './examples.ts'

const examples = await recordExamples()
const write = (name: string, text: string) => writeFileSync(new URL(name, import.meta.url), text)
write('openapi.json', `${JSON.stringify(openapi(), null, 2)}\n`)
write('exemplos.json', `${JSON.stringify(examples, null, 2)}\n`)
write('exemplos.http', httpText(examples))
