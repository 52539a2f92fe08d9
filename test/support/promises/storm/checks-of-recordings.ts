import type { RecordingState } from '../../../../src/server/store/db/tables.ts'
import { type Check, changesAstray, doubled, first, idsOf, sumOf, type World } from './world.ts'

const counting: readonly RecordingState[] = ['waiting', 'delivered', 'parked', 'uncertain']
const isOnWay = ({ state }: { state: RecordingState }) => state === 'waiting' || state === 'uncertain'

const atErp = ({ erp }: World) => [...erp.writes, ...erp.junctionWrites, ...erp.receipts]
const deliveredHere = ({ rows }: World) => rows.recordings.filter(({ state }) => state === 'delivered')
const markedByHand = ({ rows }: World) =>
  new Set(rows.audit_entries.filter(({ action }) => action === 'marked_delivered').map((row) => row.subject_id))
const recordingOf = ({ rows }: World, id: string) => rows.recordings.find((row) => row.id === id)
const byId = ({ rows }: World) => new Map(rows.recordings.map((row) => [row.id, row]))

/** Between here and the ERP, whose own lists are the witness. */
const delivering: Check[] = [
  {
    name: 'cuts and crimps are twice at the ERP',
    find: ({ erp }) => doubled(erp.writes, ({ id }) => id),
    spoil: ({ erp }) => erp.writes.push(first(erp.writes)),
  },
  {
    name: 'junctions are twice at the ERP',
    find: ({ erp }) => doubled(erp.junctionWrites, ({ id }) => id),
    spoil: ({ erp }) => erp.junctionWrites.push(first(erp.junctionWrites)),
  },
  {
    name: 'receipts are twice at the ERP',
    find: ({ erp }) => doubled(erp.receipts, ({ barcode }) => barcode),
    spoil: ({ erp }) => erp.receipts.push(first(erp.receipts)),
  },
  {
    name: 'recordings of the ERP are unknown here',
    find: (world) => {
      const here = idsOf(world.rows.recordings)
      return atErp(world).filter(({ id }) => !here.has(id))
    },
    spoil: ({ rows, erp }) =>
      void rows.recordings.splice(
        rows.recordings.findIndex(({ id }) => id === first(erp.writes).id),
        1,
      ),
  },
  {
    name: 'recordings are delivered and not at the ERP',
    find: (world) => {
      const there = idsOf(atErp(world))
      const received = new Set(world.erp.receipts.map(({ barcode }) => barcode))
      const byHand = markedByHand(world)
      return deliveredHere(world).filter(
        ({ id, part, barcode }) =>
          !there.has(id) && !byHand.has(id) && !(part === 'recebimento' && received.has(barcode)),
      )
    },
    spoil: ({ erp }) => void erp.writes.splice(0, 1),
  },
  {
    name: 'recordings are at the ERP and taken here for refused, corrected or discarded',
    find: (world) => {
      const there = idsOf(atErp(world))
      return world.rows.recordings.filter(
        ({ id, state }) => there.has(id) && state !== 'delivered' && !isOnWay({ state }),
      )
    },
    spoil: (world) => {
      const there = idsOf(atErp(world))
      Object.assign(
        first(deliveredHere(world), ({ id }) => there.has(id)),
        { state: 'parked' },
      )
    },
  },
  {
    name: 'recordings have another number of pieces at the ERP',
    find: (world) => {
      const here = byId(world)
      return [...world.erp.writes, ...world.erp.junctionWrites].filter(
        ({ id, pieces }) => here.get(id)?.pieces !== pieces,
      )
    },
    spoil: ({ erp }) => void first(erp.junctionWrites).pieces++,
  },
  {
    name: 'recordings are of another item at the ERP',
    find: (world) => {
      const here = byId(world)
      return [
        ...world.erp.writes.filter(({ id, barcode }) => here.get(id)?.barcode !== barcode),
        ...world.erp.junctionWrites.filter(({ id, position }) => here.get(id)?.position !== position),
        ...world.erp.receipts.filter(({ id, barcode }) => here.get(id)?.barcode !== barcode),
      ]
    },
    spoil: ({ erp }) => void Object.assign(first(erp.receipts), { barcode: 'another' }),
  },
  {
    name: 'recordings still wait for the ERP',
    find: ({ rows }) => rows.recordings.filter(({ state }) => state === 'waiting'),
    spoil: ({ rows }) => void Object.assign(first(rows.recordings), { state: 'waiting' }),
  },
  {
    name: 'deliveries are open of recordings that do not wait',
    find: (world) => {
      const here = byId(world)
      return world.rows.erp_outbox.filter(
        ({ id, state }) => ['new', 'sending', 'unknown'].includes(state) && here.get(id)?.state !== 'waiting',
      )
    },
    spoil: ({ rows }) => void Object.assign(first(rows.erp_outbox), { state: 'unknown' }),
  },
  {
    name: 'deliveries are confirmed of recordings that are not delivered',
    find: (world) => {
      const here = byId(world)
      return world.rows.erp_outbox.filter(
        ({ id, state }) => state === 'confirmed' && here.get(id)?.state !== 'delivered',
      )
    },
    spoil: (world) =>
      void Object.assign(
        recordingOf(world, first(world.rows.erp_outbox, ({ state }) => state === 'confirmed').id) ?? {},
        { state: 'uncertain' },
      ),
  },
  {
    name: 'recordings have two deliveries',
    find: ({ rows }) => doubled(rows.erp_outbox, ({ id }) => id),
    spoil: ({ rows }) => rows.erp_outbox.push(first(rows.erp_outbox)),
  },
  {
    name: 'copies of items say other pieces on their way than there are',
    find: ({ rows }) => {
      const onWay = Map.groupBy(rows.recordings.filter(isOnWay), ({ barcode, part }) => `${barcode} ${part}`)
      const isOff = (barcode: string, part: string, pieces: number) =>
        sumOf(onWay.get(`${barcode} ${part}`), (row) => row.pieces) !== pieces
      return rows.erp_items.filter(
        ({ barcode, on_way_cabo: cabo, on_way_l1: l1, on_way_l2: l2 }) =>
          isOff(barcode, 'cabo', cabo) || isOff(barcode, 'l1', l1) || isOff(barcode, 'l2', l2),
      )
    },
    spoil: ({ rows }) => void first(rows.erp_items).on_way_l1++,
  },
  {
    name: 'copies of junctions say other pieces on their way than there are',
    find: ({ rows }) => {
      const onWay = rows.recordings.filter((row) => row.part === 'juncao' && isOnWay(row))
      return rows.erp_junctions.filter(
        (copy) =>
          sumOf(
            onWay.filter((row) => row.order_number === copy.order_number && row.position === copy.position),
            (row) => row.pieces,
          ) !== copy.on_way,
      )
    },
    spoil: ({ rows }) => void first(rows.erp_junctions).on_way++,
  },
  {
    name: 'items have a receipt on its way that is not',
    find: ({ rows }) => {
      const onWay = new Set(
        rows.recordings.filter((row) => row.part === 'recebimento' && isOnWay(row)).map((row) => row.barcode),
      )
      return rows.erp_items.filter((copy) => (copy.receipt_on_way === 1) !== onWay.has(copy.barcode))
    },
    spoil: ({ rows }) => void Object.assign(first(rows.erp_items), { receipt_on_way: 1 }),
  },
  {
    name: 'items are received at the ERP and not here',
    find: ({ rows, erp }) => {
      const open = new Set(rows.erp_items.filter(({ received }) => received === 0).map(({ barcode }) => barcode))
      const isUnknown = idsOf(rows.recordings.filter(isOnWay))
      return erp.receipts.filter(({ id, barcode }) => open.has(barcode) && !isUnknown.has(id))
    },
    spoil: ({ rows, erp }) =>
      void Object.assign(
        first(rows.erp_items, ({ barcode }) => barcode === first(erp.receipts).barcode),
        { received: 0 },
      ),
  },
]

/** What a person decided of a recording. */
const deciding: Check[] = [
  {
    name: 'recordings are corrected by nothing, or named as corrected and count',
    find: ({ rows }) => {
      const here = idsOf(rows.recordings)
      return rows.recordings.filter(
        ({ state, superseded_by: by }) => (state === 'superseded') !== (by !== null && here.has(by)),
      )
    },
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.recordings, ({ state }) => state === 'superseded'),
        { superseded_by: null },
      ),
  },
  {
    name: 'corrections and decisions are not in the trail once each',
    find: (world) => changesAstray(world, ['corrected', 'discarded', 'marked_delivered']),
    spoil: ({ rows }) => rows.audit_entries.push(first(rows.audit_entries, ({ action }) => action === 'corrected')),
  },
  {
    name: 'recordings were discarded or corrected by nobody',
    find: ({ rows }) => {
      const done = new Set(rows.audit_entries.map(({ action, subject_id: id }) => `${action} ${id}`))
      return rows.recordings.filter(
        ({ id, state }) =>
          (state === 'discarded' && !done.has(`discarded ${id}`)) ||
          (state === 'superseded' && !done.has(`corrected ${id}`)),
      )
    },
    spoil: (world) => void Object.assign(first(deliveredHere(world)), { state: 'discarded' }),
  },
  {
    name: 'recordings wait for a person although nobody was promised anything',
    find: ({ rows }) => rows.recordings.filter(({ state, promised }) => state === 'parked' && promised === 0),
    spoil: ({ rows }) => void Object.assign(first(rows.recordings), { state: 'parked', promised: 0 }),
  },
  {
    name: 'recordings were promised and undone',
    find: ({ rows }) => rows.recordings.filter(({ state, promised }) => state === 'refused' && promised === 1),
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.recordings, ({ promised }) => promised === 1),
        { state: 'refused' },
      ),
  },
  {
    name: 'recordings count though their state says no, or the reverse',
    find: ({ rows }) => rows.recordings.filter(({ state, counted }) => counting.includes(state) !== (counted === 1)),
    spoil: (world) => void Object.assign(first(deliveredHere(world)), { counted: 0 }),
  },
]

export const checksOfRecordings = [...delivering, ...deciding]
