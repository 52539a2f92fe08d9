/** Fictional companies. The last CNPJ but one is of the alphanumeric kind valid since July 2026. */
export const sampleCustomers = [
  { name: 'Andorinha Implementos Ltda', cnpj: '99000001000101' },
  { name: 'São José Carrocerias S.A.', cnpj: '99000002000148' },
  { name: 'Tratores Serra Azul Ltda', cnpj: '99000003000192' },
  { name: 'Ônibus Planalto Ind. e Com. Ltda', cnpj: '99000004000137' },
  { name: 'Vetor Máquinas Agrícolas S.A.', cnpj: '12ABC34501DE35' },
  { name: 'Maré Equipamentos Náuticos Ltda', cnpj: '99000005000181' },
] as const

export const plainDescriptions = [
  'CHICOTE PAINEL CABINE',
  'CHICOTE PORTA DIANTEIRA LE',
  'CHICOTE PORTA DIANTEIRA LD',
  'CHICOTE LANTERNA TRASEIRA',
  'CHICOTE CENTRAL ELETRICA',
  'CHICOTE BOMBA HIDRAULICA',
  'CHICOTE ALTERNADOR',
  'CHICOTE TETO',
] as const

export const accentedDescriptions = [
  'CHICOTE ILUMINAÇÃO TRASEIRA',
  'CHICOTE INJEÇÃO MOTOR',
  'CHICOTE TRAÇÃO DIANTEIRA',
  'CHICOTE DIREÇÃO HIDRÁULICA',
] as const

type MachineKind = 'CABO' | 'TERMINAL_LD1' | 'TERMINAL_LD2' | 'JUNCAO'
type SampleMachine = { id: string; maker: string; description: string; kinds: readonly MachineKind[] }

const cutAndCrimp: readonly MachineKind[] = ['CABO', 'TERMINAL_LD1', 'TERMINAL_LD2']
const bench: readonly MachineKind[] = ['TERMINAL_LD1', 'TERMINAL_LD2']
const splice: readonly MachineKind[] = ['JUNCAO']

/** The same in both plants. */
export const sampleMachines: readonly SampleMachine[] = [
  { id: 'KX0001', maker: 'Komax', description: 'ALPHA CORTE E CRIMPAGEM 01', kinds: cutAndCrimp },
  { id: 'KX0002', maker: 'Komax', description: 'ALPHA CORTE E CRIMPAGEM 02', kinds: cutAndCrimp },
  { id: 'KX0003', maker: 'Komax', description: 'GAMMA CORTE E CRIMPAGEM 03', kinds: cutAndCrimp },
  { id: 'KX0004', maker: 'Artos', description: 'CORTE E DECAPE 04', kinds: ['CABO'] },
  { id: 'PR0001', maker: 'Schäfer', description: 'PRENSA DE BANCADA 01', kinds: bench },
  { id: 'PR0002', maker: 'Schäfer', description: 'PRENSA DE BANCADA 02', kinds: bench },
  { id: 'PR0003', maker: 'Mecal', description: 'PRENSA DE BANCADA 03', kinds: bench },
  { id: 'PR0004', maker: 'Mecal', description: 'PRENSA BANCADA 04 MANUTENÇÃO', kinds: bench },
  { id: 'US0001', maker: 'Schunk', description: 'SOLDA ULTRASSOM 01', kinds: splice },
  { id: 'US0002', maker: 'Telsonic', description: 'SOLDA ULTRASSOM 02', kinds: splice },
  { id: 'SP0001', maker: 'Mecal', description: 'PRENSA DE EMENDA 01', kinds: splice },
  { id: 'SP0002', maker: 'Mecal', description: 'PRENSA DE EMENDA 02', kinds: splice },
]

/**
 * Pull force: 0,35, 0,50, 1,00 and 1,50 mm² after TE 108-20090; the other gauges are interpolated, sample values only.
 * Crimp heights are plausible, no more.
 */
export const sampleGauges = [
  { mm2: 0.35, weight: 15, forceMinN: 60, crimpHeightMm: 1.0 },
  { mm2: 0.5, weight: 35, forceMinN: 70, crimpHeightMm: 1.1 },
  { mm2: 0.75, weight: 20, forceMinN: 90, crimpHeightMm: 1.22 },
  { mm2: 1, weight: 10, forceMinN: 115, crimpHeightMm: 1.34 },
  { mm2: 1.5, weight: 10, forceMinN: 155, crimpHeightMm: 1.5 },
  { mm2: 2.5, weight: 7, forceMinN: 250, crimpHeightMm: 1.85 },
  { mm2: 4, weight: 3, forceMinN: 325, crimpHeightMm: 2.2 },
] as const
export type SampleGauge = (typeof sampleGauges)[number]

export const gaugeOf = (mm2: number): SampleGauge => {
  const gauge = sampleGauges.find((entry) => entry.mm2 === mm2)
  if (!gauge) throw new Error(`No sample gauge of ${mm2} mm²`)
  return gauge
}

export const commaText = (mm2: number) => mm2.toFixed(2).replace('.', ',')

type FitsGauge = { code: string; mm2Min: number; mm2Max: number }
const fitting = (mm2Min: number, mm2Max: number, codes: string) =>
  codes.split(' ').map((code): FitsGauge => ({ code, mm2Min, mm2Max }))

const terminalsByGauge: readonly FitsGauge[] = [
  ...fitting(0.35, 0.5, 'T1326030 T1326031 T0964280 T0964281 T0964282 T2035040'),
  ...fitting(0.5, 1, 'T0925590 T0925591 T0928999 T0929940 T0929941 T1062914 T1241380'),
  ...fitting(1, 2.5, 'T0968220 T0968221 T0963730 T1241390 T1241391 T1355718'),
  ...fitting(2.5, 4, 'T0962841 T0962842 T1544227 T1544228 T0042281 T0160655'),
]
const sealsByGauge: readonly FitsGauge[] = [
  ...fitting(0.35, 0.75, 'S0963244 S0963530 S0967067'),
  ...fitting(0.75, 1.5, 'S0828904 S0828905 S0281934'),
  ...fitting(1.5, 4, 'S0828920 S0828921 S0964972'),
]

export const sampleTerminals: readonly string[] = terminalsByGauge.map((t) => t.code)
export const sampleSeals: readonly string[] = sealsByGauge.map((s) => s.code)

const fits = (list: readonly FitsGauge[], mm2: number) =>
  list.filter((entry) => entry.mm2Min <= mm2 && mm2 <= entry.mm2Max).map((entry) => entry.code)
export const terminalsFor = (mm2: number): string[] => fits(terminalsByGauge, mm2)
export const sealsFor = (mm2: number): string[] => fits(sealsByGauge, mm2)

export const sampleColours = ['am', 'az', 'br', 'cz', 'lr', 'mr', 'pr', 'rs', 'rx', 'vd', 'vm'] as const

/** A recording that names this lot is refused with 'Lote bloqueado'. */
export const sampleBlockedLot = 'L260101000'
