/**
 * What a trace and the history of an end say of a plant as `brute.ts` knows it: `product/auditor.md` A2 and A3. Imports
 * nothing of the product.
 */

import { nameOf } from '../verdicts-brute.ts'
import { type BruteHistory, holds, type Row, type Taken, type What, whats } from './brute.ts'

const names: Record<What, string> = { altura: 'Altura', forca: 'Força', largura: 'Largura' }
const mm = (milli: number) => (milli / 1000).toFixed(3).replace('.', ',')
const force = (milli: number) => String(milli / 1000).replace('.', ',')

/** Readings and what was asked of them, in words; of the order's minimum a trace says nothing, its lines have it apart. */
function worded(history: BruteHistory, { what, values, verdict, version }: Row, isOfEnd = false) {
  const write = what === 'forca' ? force : mm
  const plan = history.versions.find((one) => one.version === version)
  let required = ''
  let [low, high] = [-Infinity, Infinity]
  if (what === 'forca') {
    if (plan?.forceMin !== undefined) {
      low = plan.forceMin
      required = `Força mín. ${force(low)}`
    } else if (isOfEnd) {
      low = history.orderForceMin
      required = `Força mín. ${force(low)} (ordem)`
    }
  } else if (plan?.[what]) {
    ;({ low, high } = plan[what])
    required = `${names[what]} ${mm(low)} a ${mm(high)}`
  }
  const isOut = (value: number) => value < low || value > high
  const mark = (value: number) => (isOut(value) && !values.every(isOut) ? ' (fora)' : '')
  return {
    medido: `${names[what]} ${values.map((value) => write(value) + mark(value)).join(' / ')}`,
    exigido: required,
    plano: version,
    fora: verdict === 'fora',
    caracteristica: what,
  }
}

const inOrder = (rows: readonly Row[]) =>
  rows.toSorted((one, other) => whats.indexOf(one.what) - whats.indexOf(other.what))

/** Of a recording: what counts of its own and of the samples that it names, in no order. */
export const piecesOf = (history: BruteHistory, press: Taken) =>
  history.rows
    .filter((row) => holds(row) && (row.id === press.id || press.named.includes(row.id)))
    .map((row) => ({ ...worded(history, row), ...(row.id === press.id && { digitada: true as const }) }))

/** By 'Medir'; each once. */
function samplesOf(history: BruteHistory, isPart: (row: Row) => boolean) {
  const found = new Map<string, Row[]>()
  for (const row of history.rows) {
    if (row.isTyped || !isPart(row)) continue
    found.set(row.id, [...(found.get(row.id) ?? []), row])
  }
  return [...found.values()].map(inOrder)
}

/** 'Fora do plano'; what the order's minimum judged has a filter of its own. */
const isOfPlan = ({ fora, plano }: { fora: boolean; plano: number | null }) => fora && plano !== null

const situationOf = (row: Row) => (row.out ? 'invalida' : row.counts ? 'vale' : 'nao-conta')

export type Traced = { kind: 'ordem' | 'lote' | 'miniaplicador' | 'maquina'; term: string }

/** Newest first. */
export function bruteTrace(history: BruteHistory, { kind, term }: Traced, isOfOutside: boolean) {
  const isOf = (one: Pick<Row, 'order' | 'reel' | 'tool' | 'press'>) => {
    if (kind === 'ordem') return one.order === term
    if (kind === 'lote') return one.reel.trim() === term.trim()
    if (kind === 'miniaplicador') return nameOf(one.tool) === nameOf(term)
    return nameOf(one.press) === nameOf(term)
  }
  const samples = samplesOf(history, isOf)
    .map((rows) => {
      const first = rows[0] as Row
      return {
        ...{ id: first.id, at: first.at, situation: situationOf(first), by: first.by },
        out: first.out ? `${first.out.reason} (${first.out.by})` : '',
        isNamed: history.presses.some((press) => press.named.includes(first.id)),
        measured: rows.map((row) => worded(history, row)),
      }
    })
    .filter(({ measured }) => !isOfOutside || measured.some(isOfPlan))
  const lines = history.presses
    .filter(isOf)
    .map((press) => ({ id: press.id, at: press.at, pieces: press.pieces, measured: piecesOf(history, press) }))
    .filter(({ measured }) => !isOfOutside || measured.some(isOfPlan))
  const newestFirst = (one: { at: number }, other: { at: number }) => other.at - one.at
  return { samples: samples.toSorted(newestFirst), lines: lines.toSorted(newestFirst) }
}

/** Everything at the one end of an order, the oldest first; of one instant a sample before its recording. */
export function bruteEnd(history: BruteHistory, order: string) {
  const sampleEntry = (rows: readonly Row[]) => {
    const first = rows[0] as Row
    return {
      ...{ kind: 'medicao', id: first.id, at: first.at, isTyped: first.isTyped, counts: first.counts, by: first.by },
      out: first.out ? [first.out.reason, first.out.by] : null,
      verdicts: rows.map((row) => [row.what, row.verdict, worded(history, row, true).exigido]),
      namedBy: history.presses.filter((press) => press.named.includes(first.id)).map(({ id }) => id),
    }
  }
  const ofOrder = history.presses.filter((press) => press.order === order)
  const takenOut = ofOrder
    .map(({ id }) => inOrder(history.rows.filter((row) => row.id === id && row.isTyped && row.out !== null)))
    .filter((rows) => rows.length > 0)
  const samples = [...samplesOf(history, (row) => row.order === order), ...takenOut].map(sampleEntry)
  const releases = history.releases
    .filter((release) => release.order === order)
    .map(({ id, at, by, spentBy }) => ({ kind: 'liberacao', id, at, by, press: spentBy }))
  const presses = ofOrder.map((press) => ({
    ...{ kind: 'apontamento', id: press.id, at: press.at, measured: piecesOf(history, press) },
    findings: press.finding ? [[press.finding.kind, press.finding.releasedBy]] : [],
  }))
  return [...samples, ...releases, ...presses].toSorted((one, other) => one.at - other.at)
}
