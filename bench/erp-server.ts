// The imitated ERP in a process of its own: what it works is none of what the caller measures.
import { startErpSimulator } from '../demo/simulator/simulator.ts'
import type { Question } from './child.ts'

const { url, state } = await startErpSimulator()
process.once('disconnect', () => process.exit(0))
async function answer(question: Question): Promise<void> {
  if (question === 'away') await state.setFaults([{ id: 'F31', variant: 'refused', count: null }])
  if (question === 'back') await state.calm()
  process.send?.(question === 'stored' ? state.writes.map(({ id }) => id) : null)
}
process.on('message', (question: Question) => void answer(question))
process.send?.(url)
