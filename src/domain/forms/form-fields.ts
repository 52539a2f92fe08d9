/** A field of a form of work: what draws, fills, checks and refuses it reads this row. */
export type FieldName = 'lot' | 'force' | 'height' | 'applicator' | 'machine' | 'tightness' | 'quantity' | 'station'

export type Field = {
  name: FieldName
  /** A reading is measured, a pick comes from a list, a choice is one of two. */
  kind: 'lot' | 'reading' | 'pick' | 'choice' | 'quantity'
  label: string
  /** The plant has its own unit of force. */
  unit?: 'force' | 'mm'
  placeholder: string
  decimals?: number
  lengthMax?: number
  /** The members of a recording that carry it: a refusal of one is said here. */
  sent: RegExp
  /** Nothing is missing while it is empty. */
  isOptional?: true
  /** A sample belongs to it, so that it comes before measuring. */
  isMeasuredOn?: true
  /** Ultrasound welds without it. */
  isOfTerminal?: true
}

/** Fields as a form holds them; a quantity is null until somebody types, and then follows the balance. */
export type FieldForm = Partial<Record<FieldName, string | { text: string; measured: boolean } | null>>

const lot: Field = {
  ...{ name: 'lot', kind: 'lot', label: 'Lote', placeholder: 'Digite o lote' },
  ...{ sent: /^LOTE/, isMeasuredOn: true },
}
const force: Omit<Field, 'label'> = {
  name: 'force',
  kind: 'reading',
  unit: 'force',
  placeholder: 'Digite a força',
  sent: /^FORCA/,
}
const height: Omit<Field, 'label'> = {
  ...{ name: 'height', kind: 'reading', unit: 'mm', placeholder: 'Digite a altura' },
  ...{ decimals: 3, sent: /^ALTURA/ },
}
const applicator: Field = {
  ...{ name: 'applicator', kind: 'pick', label: 'Mini aplicador', placeholder: 'Selecione o mini aplicador' },
  ...{ sent: /^MA_/, isMeasuredOn: true },
}
const machine: Field = {
  ...{ name: 'machine', kind: 'pick', label: 'Máquina', placeholder: 'Selecione a máquina' },
  ...{ sent: /^MAQUINA/, isMeasuredOn: true },
}
const tightness: Field = {
  ...{ name: 'tightness', kind: 'choice', label: 'Estanqueidade', placeholder: 'Selecione' },
  ...{ sent: /^ESTANQUEIDADE/, isOfTerminal: true },
}
const quantity: Field = {
  ...{ name: 'quantity', kind: 'quantity', label: 'Quantidade de peças', placeholder: 'Digite a quantidade' },
  ...{ sent: /^QTD_(REALIZADA|APONTADA)/ },
}
const station: Field = {
  ...{ name: 'station', kind: 'pick', label: 'Seladora', placeholder: 'Selecione a seladora' },
  ...{ sent: /^SELADORA/, isOptional: true },
}

/** Text of a field, whether or not it says who measured it. */
export const textOf = (value: FieldForm[FieldName]): string => (typeof value === 'string' ? value : (value?.text ?? ''))

/** In the order in which they are drawn and asked for. */
export const formFields: Record<'cable' | 'side' | 'junction', readonly Field[]> = {
  cable: [lot, machine, quantity],
  side: [
    lot,
    { ...force, label: 'Força de extração', decimals: 0, lengthMax: 9 },
    { ...height, label: 'Altura de crimpagem', lengthMax: 9 },
    applicator,
    machine,
    quantity,
    station,
  ],
  junction: [
    { ...lot, isOfTerminal: true },
    { ...force, label: 'Força', decimals: 1, lengthMax: 8 },
    { ...height, label: 'Altura', lengthMax: 7, isOfTerminal: true },
    machine,
    tightness,
    quantity,
  ],
}

/** Fields above the line of the plan: the lot, and what is measured of it. */
export const isMeasuredWith = ({ kind }: Field): boolean => kind === 'lot' || kind === 'reading'

/** The field that a member of a recording was typed into. */
export const fieldSent = (member: string): Field | undefined =>
  [...formFields.side, ...formFields.junction].find(({ sent }) => sent.test(member))

const inWords: readonly [words: RegExp, name: FieldName][] = [
  [/\blote/, 'lot'],
  [/\bmaquina/, 'machine'],
  [/\b(saldo|quantidade)/, 'quantity'],
]

/** The field that the ERP means, which names none: the first row that fits. Null: nobody can tell. */
export function fieldInWords(words: string): FieldName | null {
  const plain = words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return inWords.find(([fits]) => fits.test(plain))?.[1] ?? null
}

/** Fields that are still to be filled in. */
export const emptyFields = (fields: readonly Field[], form: FieldForm): Field[] =>
  fields.filter(({ name, isOptional }) => !isOptional && form[name] !== null && textOf(form[name]).trim() === '')

/** 'Falta: lote, máquina' */
export const missedText = (missed: readonly Field[]): string =>
  `Falta: ${missed.map(({ label }) => label.toLowerCase()).join(', ')}`

/** 'lote, mini aplicador e máquina' */
export function measuredOnText(fields: readonly Field[]): string {
  const names = fields.filter(({ isMeasuredOn }) => isMeasuredOn).map(({ label }) => label.toLowerCase())
  // alone it is always the machine
  return names.length === 1 ? `a ${names[0]}` : [names.slice(0, -1).join(', '), names.at(-1)].join(' e ')
}
