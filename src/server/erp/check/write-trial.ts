import type { ErpItem, Part } from '../../../contract/items.ts'
import type { Machine, MachineType } from '../../../contract/machines.ts'
import type { CutCrimpRecording } from '../../../contract/recordings.ts'
import type { ErpGateway, WriteOutcome } from '../gateway.ts'
import { type Finding, finding } from './findings.ts'

const TRIAL = 'TESTE'
const isThere = (code: string) => code !== '' && code !== '0'

type Row = {
  part: Part
  machines: MachineType
  registered: 'Z1_QTREGCO' | 'Z1_QTREGL1' | 'Z1_QTREGL2'
  isPossible: (item: ErpItem) => boolean
  fields: (item: ErpItem) => Partial<CutCrimpRecording>
}

const crimpOf = (n: 1 | 2): Row => ({
  part: `l${n}`,
  machines: `terminal-l${n}`,
  registered: `Z1_QTREGL${n}`,
  isPossible: (item) => isThere(item[`Z1_TERML${n}`]),
  fields: (item) => ({
    [`TERM_LD${n}`]: item[`Z1_TERML${n}`],
    [`FORCA_LD${n}`]: Math.ceil(item[`Z1_RMINL${n}`] ?? 1),
    [`ALTURA_LD${n}`]: item[`Z1_DECAL${n}`] ?? 1,
    [`LOTE_TERM_LD${n}`]: TRIAL,
    [`MA_LD${n}`]: TRIAL,
  }),
})

/** Recordings that an item allows, the cut before the crimps. */
const rows: readonly Row[] = [
  {
    part: 'cabo',
    machines: 'cabo',
    registered: 'Z1_QTREGCO',
    isPossible: (item) => isThere(item.Z1_CODCABO),
    fields: (item) => ({ COD_CABO: item.Z1_CODCABO, LOTE_CABO: TRIAL, COMPRIMENTO_CABO: item.Z1_COMPR }),
  },
  crimpOf(1),
  crimpOf(2),
]

function findWork(items: readonly ErpItem[]) {
  for (const row of rows) {
    const item = items.find((one) => row.isPossible(one) && one[row.registered] < one.Z1_QUANT)
    if (item) return { item, row }
  }
  return null
}

const machineText = ({ id, fabricante }: Machine) => `${id} - ${fabricante}`

const outcomeFault = (sent: WriteOutcome): Finding[] => {
  if (sent.outcome === 'confirmed') return []
  const code = { refused: 'write_refused', not_sent: 'write_not_sent', unknown: 'write_unclear' } as const
  return [finding(code[sent.outcome], 'recordings', sent.message)]
}

type Trial = {
  erp: ErpGateway
  branch: string
  items: readonly ErpItem[]
  lookup: 'id' | 'none'
  integrationId: string
}

/**
 * Records one piece, repeats it under the same id, asks for the id and reads the quantity again. A failed read throws as
 * the gateway does; what was stored by then is in `findings`.
 */
export async function tryToWrite({ erp, branch, items, lookup, integrationId }: Trial, findings: Finding[]) {
  const work = findWork(items)
  if (!work) {
    findings.push(finding('no_work_open', 'Z1_QUANT'))
    return ''
  }
  const { item, row } = work
  const [machine] = await erp.listMachines({ branch, type: row.machines })
  const payload: CutCrimpRecording = {
    EMPRESA: branch,
    OPERADOR: 'Teste do painel',
    ORDEM_PROD: item.Z1_OP,
    QTD_ORDEM_PROD: item.Z1_QUANT,
    QTD_REALIZADA: 1,
    COD_BARRA: item.Z1_CODBAR,
    MAQUINA: machine ? machineText(machine) : TRIAL,
    ...row.fields(item),
  }
  const send = () => erp.recordCutCrimp({ branch, payload, integrationId })
  const first = await send()
  findings.push(...outcomeFault(first))
  // where nothing reached the ERP, or it said no, there is nothing to look for
  if (first.outcome === 'refused' || first.outcome === 'not_sent') return ''
  findings.push(finding('stored', row.registered, `${item.Z1_CODBAR} ${integrationId}`))
  const again = await send()
  if (again.outcome !== 'confirmed') findings.push(finding('repeat_refused', 'ID_INTEGRACAO', again.message))
  const known = lookup === 'id' ? await erp.findByIntegrationId({ branch, integrationId }) : 'unsupported'
  if (known === null || (known !== 'unsupported' && known.status !== 'done')) {
    findings.push(finding('id_unknown', 'ID_INTEGRACAO', known?.status))
  }
  const { rows: found } = await erp.searchItems({ branch, term: item.Z1_CODBAR, mode: 'APONTAMENTO' })
  const registered = found.find((one) => one.Z1_CODBAR === item.Z1_CODBAR)?.[row.registered]
  const added = registered === undefined ? Number.NaN : registered - item[row.registered]
  const code = { 0: 'not_counted', 2: 'counted_twice' } as const
  if (added !== 1) findings.push(finding(code[added as 0 | 2] ?? 'counted_otherwise', row.registered, registered))
  return `1 peça (${row.part}) em ${item.Z1_CODBAR}, identificador ${integrationId}`
}
