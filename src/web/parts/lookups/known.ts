import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { applicators } from '../../../contract/applicators.ts'
import { crimpCounters } from '../../../contract/crimp-counters.ts'
import { type CutItem, items } from '../../../contract/items.ts'
import { type JunctionDetails, type Junction as JunctionRow, junctions } from '../../../contract/junctions.ts'
import { type MachineType, machines } from '../../../contract/machines.ts'
import { sealingStations } from '../../../contract/sealing-stations.ts'
import { type Lists, machinesAt } from '../../../domain/forms/form-lists.ts'
import type { KnownCodes } from '../../../domain/forms/form-scans.ts'
import { isSameName } from '../../../domain/people/names.ts'
import { currentUser } from '../../device/credentials.ts'
import { usePreferences } from '../../device/preferences.ts'
import { answersAtHand, lasting, query } from '../../server/query.ts'
import { instrumentCodes } from '../measuring/known.ts'
import { knownReasons } from '../scraps/work.ts'
import { itemReading } from './settled-readings.ts'

const machinesQuery = (branch: string, type?: MachineType) => ({
  ...query(machines.list, { query: { filial: branch, ...(type ? { tipo: type } : {}) } }, { isAfterFrame: true }),
  ...lasting,
})
// Functions: a bundle may begin with this file before the contract's.
const applicatorsQuery = () => ({ ...query(applicators.list, {}, { isAfterFrame: true }), ...lasting })
const countersQuery = () => ({
  ...query(crimpCounters.list, { query: {} }, { isAfterFrame: true }),
  gcTime: lasting.gcTime,
})
const sealingStationsQuery = () => ({ ...query(sealingStations.list, {}, { isAfterFrame: true }), ...lasting })

const cutCrimpTypes = ['cabo', 'terminal-l1', 'terminal-l2'] as const satisfies readonly MachineType[]
const junctionTypes = ['juncao'] as const satisfies readonly MachineType[]

/**
 * One after another: a session may have three readings of the ERP open, and the item is one. What fails is asked for again, but
 * not for a session that ended meanwhile.
 */
async function warmMachines(client: QueryClient, branch: string, types: readonly MachineType[]): Promise<void> {
  for (const type of [undefined, ...types]) if (currentUser()) await client.prefetchQuery(machinesQuery(branch, type))
}

function useWarmMachines(branch: string, types: readonly MachineType[]): void {
  const client = useQueryClient()
  useEffect(() => {
    if (branch !== '') void warmMachines(client, branch, types)
  }, [client, branch, types])
}

/** Reads the lists of an item's form ahead, with the list that leads there: the next scan needs no network. */
export function useWarmLists(branch: string): void {
  const client = useQueryClient()
  useWarmMachines(branch, cutCrimpTypes)
  useEffect(() => {
    if (branch === '') return
    void client.prefetchQuery(applicatorsQuery())
    void client.prefetchQuery(sealingStationsQuery())
    void client.prefetchQuery(countersQuery())
  }, [client, branch])
}

/** Read by `useWarmMachines`. */
const useMachines = (branch: string, type?: MachineType) =>
  useQuery({ ...machinesQuery(branch, type), enabled: false }).data

/** Machines of a type that this device works on. */
function useMachinesHere(branch: string, type: MachineType) {
  const { workplace } = usePreferences()
  const machines = useMachines(branch, type)
  return machines && machinesAt(workplace.machines, machines)
}

/** How worn a tool is; undefined where no counter of it is known. */
export function useWear() {
  const units = useQuery(countersQuery()).data?.controlTable ?? []
  return (name: string) => units.find(({ miniaplicator }) => isSameName(miniaplicator, name))
}

/** Names of tools and machines, at hand or as the server says them; of a list that cannot be had none. */
export async function readTools(client: QueryClient, branch: string) {
  const pairs = await client.ensureQueryData(applicatorsQuery()).catch(() => [])
  const all = await client.ensureQueryData(machinesQuery(branch)).catch(() => [])
  return { tools: pairs.map(({ miniaplicator }) => miniaplicator), machines: all.map(({ id }) => id) }
}

/** Codes on the lists of a form; machines of these types are read for it. */
function useLists(branch: string, types: readonly MachineType[]): Omit<Lists, 'machinesOf'> {
  useWarmMachines(branch, types)
  return {
    applicators: useQuery(applicatorsQuery()).data,
    stations: useQuery(sealingStationsQuery()).data,
    machines: useMachines(branch),
  }
}

export const useItemLists = (branch: string): Lists => ({
  ...useLists(branch, cutCrimpTypes),
  machinesOf: {
    cabo: useMachinesHere(branch, 'cabo'),
    'terminal-l1': useMachinesHere(branch, 'terminal-l1'),
    'terminal-l2': useMachinesHere(branch, 'terminal-l2'),
  },
})

export const useJunctionLists = (branch: string): Lists => ({
  ...useLists(branch, junctionTypes),
  machinesOf: { juncao: useMachinesHere(branch, 'juncao') },
})

/** Pairs of the list that was read with the order: those at hand without network. */
export const applicatorsAtHand = (client: QueryClient, terminal: string) =>
  client.getQueryData(applicatorsQuery().queryKey)?.filter((pair) => isSameName(pair.terminal, terminal))
export const stationsAtHand = (client: QueryClient, seal: string) =>
  client.getQueryData(sealingStationsQuery().queryKey)?.filter((pair) => isSameName(pair.seal, seal))

/** Items of every search of this device that is still at hand. */
const searchedItems = (client: QueryClient): CutItem[] =>
  answersAtHand(client, items.search).flatMap(([, found]) => found.items)

/** As a search of this device has it. */
export const itemAtHand = (client: QueryClient, barcode: string): CutItem | undefined =>
  searchedItems(client).find(({ Z1_CODBAR }) => Z1_CODBAR === barcode)

/** As a search of this device has it, else as the server says; rejects where there is none. */
export const findItem = async (client: QueryClient, branch: string, barcode: string): Promise<CutItem> =>
  itemAtHand(client, barcode) ?? (await client.fetchQuery(itemReading({ plant: branch, barcode }))).item

const searchedJunctionOrders = (client: QueryClient): string[] =>
  answersAtHand(client, junctions.list).flatMap(([{ query: request }, found]) =>
    found.items.length > 0 ? [request.numeroOp] : [],
  )

const codesOfLists = ({ applicators: pairs, stations, machines: all, machinesOf }: Lists) => ({
  applicators: (pairs ?? []).map(({ miniaplicator }) => miniaplicator),
  machines: (all ?? []).map(({ id }) => id),
  stations: (stations ?? []).map(({ sealingStationName }) => sealingStationName),
  instruments: instrumentCodes.get() ?? [],
  reasons: knownReasons.get() ?? [],
  materials: [...(pairs ?? []).map(({ terminal }) => terminal), ...(stations ?? []).map(({ seal }) => seal)],
  isComplete: [pairs, stations, all, ...Object.values(machinesOf)].every((list) => list !== undefined),
})

/** The codes that this device knows beside an item. */
export function codesAtItem(client: QueryClient, item: CutItem, lists: Lists): KnownCodes {
  const found = searchedItems(client)
  const { materials, ...codes } = codesOfLists(lists)
  const own = [item.Z1_CODCABO, item.Z1_TERML1, item.Z1_TERML2, item.Z1_SELOL1, item.Z1_SELOL2, item.Z1_PRODUTO]
  return {
    ...codes,
    item: { barcode: item.Z1_CODBAR, number: item.Z1_ITEMEST },
    items: found.map(({ Z1_CODBAR }) => Z1_CODBAR),
    orders: [item.Z1_OP, ...found.map(({ Z1_OP }) => Z1_OP)],
    materials: [...own, ...materials],
  }
}

/** The codes that this device knows beside a junction. */
export function codesAtJunction(
  client: QueryClient,
  { order, junction, details }: { order: string; junction: JunctionRow; details: JunctionDetails },
  lists: Lists,
): KnownCodes {
  const { materials, ...codes } = codesOfLists(lists)
  const own = [junction.Z8_TERMINA, junction.Z8_GRUPOMP, junction.Z8_PRODUTO]
  return {
    ...codes,
    item: null,
    items: searchedItems(client).map(({ Z1_CODBAR }) => Z1_CODBAR),
    orders: [order, ...searchedJunctionOrders(client)],
    materials: [...own, ...details.circuitos.map(({ Z1_CODCABO }) => Z1_CODCABO), ...materials],
  }
}
