// The imitated ERP in a process of its own: what it works is none of what the caller measures.
import { type ErpSimulatorOptions, startErpSimulator } from '../demo/simulator/simulator.ts'

const erp = await startErpSimulator(JSON.parse(process.argv[2] ?? '{}') as ErpSimulatorOptions)
process.once('disconnect', () => process.exit(0))
process.send?.({ url: erp.url, controlUrl: erp.controlUrl })
