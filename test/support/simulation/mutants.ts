import type { Mutant } from './world.ts'

/** Mistakes that somebody could make in the recording path, each as the smallest bend at its edge. */
export const mutants: Record<string, Mutant> = {
  'the promise to tell the ERP is forgotten': {
    statement: (text) => (text.startsWith('insert into "erp_outbox"') ? 'swallow' : null),
  },
  'the recording is committed before the wear of its tool': {
    statement: (text, _, sqlite) => {
      if (text.startsWith('update "applicator_units"') && sqlite.inTransaction) sqlite.exec('commit; begin immediate')
      return null
    },
  },
  'a write without an answer is taken for one that never left': {
    gateway: (erp) => ({
      ...erp,
      recordCutCrimp: async (write) => {
        const outcome = await erp.recordCutCrimp(write)
        return outcome.outcome === 'unknown' ? { outcome: 'not_sent', kind: 'unavailable', message: '' } : outcome
      },
    }),
  },
  'it is noted only after the call that the bytes may have left': {
    statement: (text, parameters) =>
      text.startsWith('update "erp_outbox"') && parameters[0] === 'sending' ? 'swallow' : null,
  },
  'a refusal is taken for a delivery': {
    gateway: (erp) => ({
      ...erp,
      recordCutCrimp: async (write) => {
        const outcome = await erp.recordCutCrimp(write)
        return outcome.outcome === 'refused' ? { outcome: 'confirmed', message: '', erpRecord: null } : outcome
      },
    }),
  },
  'the counter-entry of a refusal is forgotten': {
    statement: (text, parameters) =>
      text.startsWith('insert into "crimp_ledger"') && parameters.includes('refused') ? 'swallow' : null,
  },
  'what was refused before its tablet was heard stays refused': {
    statement: (text, parameters) =>
      text.startsWith('update "recordings"') && parameters[0] === 'parked' && parameters.includes('refused')
        ? 'swallow'
        : null,
  },
  'what a tablet called saved is not noted as such': {
    statement: (text, parameters) => (text.startsWith('update "recordings"') && parameters[0] === 1 ? 'swallow' : null),
  },
}
