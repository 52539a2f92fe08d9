import type { FastifyInstance } from 'fastify'
import { type Equipment, type EquipmentList, equipment, LAST_RECORDING_DAYS_MAX } from '../../contract/equipment.ts'
import type { Machine } from '../../contract/machines.ts'
import { itemNumberOf, nameKey, openPieces } from '../../domain/acts/recordings.ts'
import { compareNames } from '../../domain/people/names.ts'
import { DAY_MS, toInstant } from '../../domain/plant/plant-time.ts'
import { hoursOf, type Span } from '../../domain/plant/shifts.ts'
import { comparedSpans, machineFinder, meanOfWorked, unlistedMachine } from '../../domain/tools/equipment.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import type { Reader } from '../store/db/db.ts'
import {
  countUnconfirmed,
  findLastRecorded,
  findLastTool,
  type LastRecorded,
  listMachineNames,
  listToolCounters,
  sumPieces,
} from '../store/equipment.ts'
import { findItem } from '../store/items.ts'
import { type CachedMachines, cachedMachines, fetchMachines, isFresh } from './machines.ts'

/** A machine with all the names under which it was recorded with. */
type Named = { machine: Machine; isListed: boolean; names: string[] }

function nameMachines(listed: readonly Machine[], names: readonly string[]): Named[] {
  const named = new Map<string, Named>()
  for (const machine of listed) {
    const key = nameKey(machine.id)
    if (!named.has(key)) named.set(key, { machine, isListed: true, names: [] })
  }
  const keyOf = machineFinder(listed)
  for (const name of names) {
    const key = keyOf(name)
    const known = named.get(key)
    if (known) known.names.push(name)
    else named.set(key, { machine: unlistedMachine(name), isListed: false, names: [name] })
  }
  return [...named.values()]
}

type Sought = { names: readonly string[]; branch: string; sinceMs: number }

/** The newest of what is found under each name. */
async function newestOf<T extends { recordedAt: number }>(
  { names, branch, sinceMs }: Sought,
  find: (sought: { name: string; branch: string; sinceMs: number }) => Promise<T | null>,
): Promise<T | null> {
  let newest: T | null = null
  for (const name of names) {
    const found = await find({ name, branch, sinceMs })
    if (found && (!newest || found.recordedAt > newest.recordedAt)) newest = found
  }
  return newest
}

async function tellLast(db: Reader, branch: string, last: LastRecorded): Promise<Equipment['ultimo']> {
  const copy = last.part === 'juncao' ? null : await findItem(db, branch, last.barcode)
  return {
    quando: toInstant(last.recordedAt),
    parte: last.part,
    ordem: last.orderNumber,
    item: copy ? itemNumberOf(copy.item) : '',
    codigoBarras: last.barcode,
    posicao: last.position,
    pecas: last.pieces,
    restam: last.part === 'juncao' || !copy ? null : openPieces(copy.item, last.part),
    operador: last.operator,
  }
}

type ListedMachine = { equipment: Equipment; unitKey: string | null }

/** Every machine that the ERP lists, and those beside it that were recorded with lately. Everything is counted from recordings. */
export async function listEquipment(
  branch: string,
  cached: CachedMachines | null,
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
): Promise<EquipmentList> {
  const nowMs = now()
  const { day, shift, today, days, shifts } = comparedSpans(nowMs, config)
  const recordedNames = await listMachineNames(db.read)
  const hours = hoursOf(shift)
  const hoursBefore = shifts.slice(0, 1).flatMap(hoursOf)
  const spans = [today, shift, ...days, ...shifts, ...hours, ...hoursBefore]
  const sums = await sumPieces(db.read, { names: recordedNames, branch, spans })
  const unconfirmed = await countUnconfirmed(db.read, branch)
  const tell = async ({ machine, isListed, names }: Named): Promise<ListedMachine> => {
    const sought = { names, branch, sinceMs: nowMs - LAST_RECORDING_DAYS_MAX * DAY_MS }
    const last = await newestOf(sought, (one) => findLastRecorded(db.read, one))
    const tool = last && (await newestOf(sought, (one) => findLastTool(db.read, one)))
    const pieces = (span: Span) => names.reduce((sum, name) => sum + (sums.get(span)?.get(name) ?? 0), 0)
    const equipment = {
      ...machine,
      cadastrada: isListed,
      ultimo: last && (await tellLast(db.read, branch, last)),
      hoje: { pecas: pieces(today), media: meanOfWorked(days.map(pieces)) },
      turno: { pecas: pieces(shift), media: meanOfWorked(shifts.map(pieces)) },
      porHora: { turno: hours.map(pieces), ontem: hoursBefore.map(pieces) },
      miniaplicador: null,
      aguardandoErp: names.reduce((sum, name) => sum + (unconfirmed.get(name) ?? 0), 0),
    }
    return { equipment, unitKey: tool?.unitKey ?? null }
  }
  const isRecordedWith = (name: string) => spans.some((span) => sums.get(span)?.has(name))
  const rows: ListedMachine[] = []
  for (const named of nameMachines(cached?.machines ?? [], recordedNames)) {
    const isShown = named.isListed || named.names.some(isRecordedWith)
    if (isShown) rows.push(await tell(named))
  }
  return {
    dia: day,
    turno: { inicio: toInstant(shift.startMs), fim: toInstant(shift.endMs) },
    cadastroLidoEm: cached && toInstant(cached.fetchedAt),
    equipamentos: await withTools(db.read, rows),
  }
}

async function withTools(db: Reader, rows: readonly ListedMachine[]): Promise<Equipment[]> {
  const counters = await listToolCounters(db, [...new Set(rows.flatMap(({ unitKey }) => unitKey ?? []))])
  return rows
    .map(({ equipment, unitKey }) => {
      const counter = counters.find((one) => one.unitKey === unitKey)
      const miniaplicador = counter
        ? { nome: counter.name, crimpagens: counter.crimps, limite: counter.limitOfCrimps }
        : null
      return { ...equipment, miniaplicador }
    })
    .toSorted((one, other) => compareNames(one.id, other.id))
}

/** A board refetches at every recording; the list of machines must not take the ERP time of recordings. */
const REREAD_AFTER_MS = 60_000

export function equipmentRoutes(app: FastifyInstance, context: Context): void {
  const readAt = new Map<string, number>()

  /** Answers from the copy; when that is old, it is refreshed in the background. */
  async function machinesOf(branch: string): Promise<CachedMachines | null> {
    const request = { branch, type: undefined }
    const cached = await cachedMachines(request, context)
    const at = context.now()
    const isReadLately = at - (readAt.get(branch) ?? Number.NEGATIVE_INFINITY) < REREAD_AFTER_MS
    if (isReadLately || (cached && isFresh(cached, context))) return cached
    readAt.set(branch, at)
    const asking = fetchMachines(request, context).catch((error: unknown) =>
      context.log.warn({ err: error, repeats: true }, 'the list of machines could not be read'),
    )
    if (cached) return cached
    await asking
    return await cachedMachines(request, context)
  }

  bind(app, context, equipment.list, async ({ query }) => {
    requirePlant(query.filial, context)
    return await listEquipment(query.filial, await machinesOf(query.filial), context)
  })
}
