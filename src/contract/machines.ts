import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { erpReadRefusals } from './items.ts'
import { BranchCode } from './values.ts'

export const machineTypes = ['cabo', 'terminal-l1', 'terminal-l2', 'juncao'] as const
export type MachineType = (typeof machineTypes)[number]

export const Machine = z.strictObject({ id: z.string(), fabricante: z.string(), descricao: z.string() })
export type Machine = z.infer<typeof Machine>

export const machines = {
  list: endpoint({
    path: '/api/maquinas',
    summary: 'Máquinas da filial, vindas do ERP',
    access: 'read',
    query: z.strictObject({ filial: BranchCode, tipo: z.optional(z.enum(machineTypes)) }),
    reply: z.array(Machine),
    refusals: erpReadRefusals,
  }),
}
