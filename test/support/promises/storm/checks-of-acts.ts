import { type ActKind, type Check, doubled, first, idsOf, type Press, type World } from './world.ts'

export const saved = ({ presses }: World, ...kinds: ActKind[]) =>
  presses.filter(({ kind, seen }) => seen === 'saved' && kinds.includes(kind))

/** A sample that was taken by itself; what a recording measured is its own. */
const samplesOf = ({ rows }: World) => rows.measurements.filter(({ recording_id: id }) => id === null)

/** Each act that is stored, with who made it. */
const storedActs = ({ rows }: World): { id: string; userId: number; table: string }[] => [
  ...rows.recordings.map((row) => ({ id: row.id, userId: row.user_id, table: 'recordings' })),
  ...samplesOf({ rows } as World).map((row) => ({ id: row.act_id, userId: row.user_id, table: 'measurements' })),
  ...rows.scraps.map((row) => ({ id: row.id, userId: row.user_id, table: 'scraps' })),
  ...rows.maintenance_calls.map((row) => ({ id: row.id, userId: row.opened_user_id, table: 'calls' })),
  ...rows.maintenance_call_joins.map((row) => ({ id: row.id, userId: row.user_id, table: 'joins' })),
]
const userOf = ({ rows }: World) => new Map(rows.users.map(({ id, username }) => [id, username]))
export const pressOf = ({ presses }: World) => new Map(presses.map((press) => [press.id, press]))
const receivedIn = ({ rows }: World) =>
  new Set(rows.recordings.filter((row) => row.part === 'recebimento').map((row) => row.id))

export const lost = (world: World, kinds: ActKind[]): Press[] => {
  const here = idsOf(storedActs(world))
  const retained = idsOf(world.rows.retained_deliveries.filter(({ state }) => state === 'open'))
  return saved(world, ...kinds).filter(({ id }) => !here.has(id) && !retained.has(id))
}

/** What people saw, beside what is here. */
const seeing: Check[] = [
  {
    name: 'cuts, crimps and junctions were seen as saved and are not here',
    find: (world) => lost(world, ['recording', 'junction']),
    spoil: (world) => {
      const { id } = first(saved(world, 'junction'))
      world.rows.recordings = world.rows.recordings.filter((row) => row.id !== id)
    },
  },
  {
    name: 'receipts were seen as saved and are not here',
    find: (world) => lost(world, ['receipt']),
    spoil: (world) => {
      const received = receivedIn(world)
      world.rows.recordings = world.rows.recordings.filter(({ id }) => !received.has(id))
    },
  },
  {
    name: 'samples were seen as saved and are not here',
    find: (world) => lost(world, ['sample']),
    spoil: (world) => {
      const { id } = first(saved(world, 'sample'))
      world.rows.measurements = world.rows.measurements.filter((row) => row.act_id !== id)
    },
  },
  {
    name: 'calls were seen as saved and are not here',
    find: (world) => lost(world, ['call']),
    spoil: ({ rows }) => void rows.maintenance_call_joins.pop(),
  },
  {
    name: 'recordings were seen as saved and are undone here',
    find: (world) => {
      const undone = idsOf(world.rows.recordings.filter(({ state }) => state === 'refused'))
      return saved(world, 'recording', 'junction', 'receipt').filter(({ id }) => undone.has(id))
    },
    spoil: (world) => {
      const { id } = first(saved(world, 'recording'))
      Object.assign(
        first(world.rows.recordings, (row) => row.id === id),
        { state: 'refused' },
      )
    },
  },
  {
    name: 'recordings were seen as refused and count',
    find: ({ presses, rows }) => {
      const counted = idsOf(rows.recordings.filter((row) => row.counted === 1))
      return presses.filter(({ id, seen }) => seen === 'refused' && counted.has(id))
    },
    spoil: ({ presses, rows }) => {
      const { id } = first(rows.recordings, (row) => row.counted === 1)
      Object.assign(
        first(presses, (press) => press.id === id),
        { seen: 'refused' },
      )
    },
  },
  {
    name: 'acts are here that nobody pressed',
    find: (world) => {
      const pressed = pressOf(world)
      return storedActs(world).filter(({ id }) => !pressed.has(id))
    },
    spoil: ({ presses, rows }) =>
      void presses.splice(
        presses.findIndex(({ id }) => id === first(rows.recordings).id),
        1,
      ),
  },
  {
    name: 'acts are of two kinds',
    find: (world) =>
      doubled(
        [...new Set(storedActs(world).map(({ id, table }) => `${id} ${table}`))],
        (key) => key.split(' ')[0] ?? '',
      ),
    spoil: ({ rows }) => void Object.assign(first(rows.maintenance_calls), { id: first(rows.recordings).id }),
  },
  {
    name: 'recordings say another number of pieces than was pressed',
    find: (world) => {
      const pressed = pressOf(world)
      return world.rows.recordings.filter(
        ({ id, pieces, part }) => part !== 'recebimento' && pressed.get(id)?.pieces !== pieces,
      )
    },
    spoil: ({ rows }) => void first(rows.recordings, ({ part }) => part !== 'recebimento').pieces++,
  },
  {
    name: 'recordings are of another item than was pressed',
    find: (world) => {
      const pressed = pressOf(world)
      return world.rows.recordings.filter(
        ({ id, barcode, position }) => pressed.get(id)?.subject !== (barcode || position),
      )
    },
    spoil: ({ rows }) => void Object.assign(first(rows.recordings), { barcode: 'another' }),
  },
  {
    name: "acts are in another person's name",
    find: (world) => {
      const [users, pressed] = [userOf(world), pressOf(world)]
      return storedActs(world).filter(({ id, userId }) => pressed.get(id)?.username !== users.get(userId))
    },
    spoil: ({ rows }) => void first(rows.maintenance_calls).opened_user_id++,
  },
  {
    name: 'acts of tablets were answered without a receipt',
    find: ({ presses }) =>
      presses.filter(({ seen, fromTablet, hasReceipt }) => seen === 'saved' && fromTablet && !hasReceipt),
    spoil: (world) =>
      void Object.assign(
        first(saved(world, 'call'), ({ fromTablet }) => fromTablet),
        { hasReceipt: false },
      ),
  },
  {
    name: 'acts that a tablet had called saved carry no promise',
    find: (world) => {
      const fromTablet = idsOf(world.presses.filter((press) => press.fromTablet && press.seen === 'saved'))
      return world.rows.recordings.filter(({ id, promised }) => fromTablet.has(id) && promised === 0)
    },
    spoil: ({ rows, presses }) => {
      const { id } = first(presses, (press) => press.kind === 'recording' && press.fromTablet && press.seen === 'saved')
      Object.assign(
        first(rows.recordings, (row) => row.id === id),
        { promised: 0 },
      )
    },
  },
  {
    name: 'answers were a fault of the server, or let somebody do what he may not',
    find: ({ wrongAnswers }) => wrongAnswers,
    spoil: ({ wrongAnswers }) => wrongAnswers.push('500'),
  },
]

const sumOfReadings = (readings: readonly number[]) => readings.reduce((sum, value) => sum + value, 0)

const measuring: Check[] = [
  {
    name: 'samples have not each of their readings once',
    find: (world) =>
      [...Map.groupBy(samplesOf(world), ({ act_id: id }) => id).values()].filter(
        (own) => own.length !== 2 || own[0]?.characteristic === own[1]?.characteristic,
      ),
    spoil: (world) => world.rows.measurements.push(first(samplesOf(world))),
  },
  {
    name: 'measurements say another number, sum or range than their readings',
    find: ({ rows }) =>
      rows.measurements.filter((row) => {
        const values = JSON.parse(row.readings_json) as number[]
        const is = [values.length, sumOfReadings(values), Math.min(...values), Math.max(...values)]
        return is.join() !== [row.n, row.sum_milli, row.min_milli, row.max_milli].join()
      }),
    spoil: ({ rows }) => void first(rows.measurements).sum_milli++,
  },
  {
    name: 'samples do not count although their author or an admin has vouched for them',
    find: (world) => samplesOf(world).filter(({ counted }) => counted === 0),
    spoil: (world) => void Object.assign(first(samplesOf(world)), { counted: 0 }),
  },
  {
    name: 'measurements count otherwise than the recording whose own they are',
    find: ({ rows }) => {
      const counted = new Map(rows.recordings.map((row) => [row.id, row.counted]))
      return rows.measurements.filter(
        (row) => row.recording_id !== null && counted.get(row.recording_id) !== row.counted,
      )
    },
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.measurements, (row) => row.recording_id !== null && row.counted === 1),
        { counted: 0 },
      ),
  },
  {
    name: 'measurements of recordings are doubled',
    find: ({ rows }) => doubled(rows.measurements, (row) => `${row.act_id} ${row.characteristic}`),
    spoil: ({ rows }) => rows.measurements.push(first(rows.measurements, (row) => row.recording_id !== null)),
  },
  {
    name: 'recordings name samples that are not theirs to name',
    find: ({ rows }) => {
      const [here, acts] = [idsOf(rows.recordings), new Set(rows.measurements.map((row) => row.act_id))]
      return rows.recording_measurements.filter((row) => !here.has(row.recording_id) || !acts.has(row.act_id))
    },
    spoil: ({ rows }) => void Object.assign(first(rows.recording_measurements), { act_id: 'nothing' }),
  },
  {
    name: 'recordings name samples and are not tied to them',
    find: ({ rows }) => {
      const tied = new Set(rows.recording_measurements.map((row) => `${row.recording_id} ${row.act_id}`))
      return rows.recordings.filter(({ id, state, capture_json: json }) => {
        const named = (JSON.parse(json ?? '{}') as { medicoes?: string[] }).medicoes ?? []
        return state !== 'superseded' && named.some((act) => !tied.has(`${id} ${act}`))
      })
    },
    spoil: ({ rows: { recordings, recording_measurements: ties } }) => {
      const current = idsOf(recordings.filter(({ state }) => state !== 'superseded'))
      ties.splice(ties.indexOf(first(ties, (row) => current.has(row.recording_id))), 1)
    },
  },
  {
    name: 'samples are invalid and the trail does not say so, or the reverse',
    find: ({ rows }) => {
      const written = new Set(
        rows.audit_entries.filter(({ action }) => action === 'measurement_invalidated').map((row) => row.subject_id),
      )
      return rows.measurements.filter((row) => (row.invalid_at !== null) !== written.has(row.act_id))
    },
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.measurements, (row) => row.invalid_at !== null),
        { invalid_at: null },
      ),
  },
]

const joinsOf = ({ rows }: World) => Map.groupBy(rows.maintenance_call_joins, ({ call_id: id }) => id)

const calling: Check[] = [
  {
    name: 'calls bear another number than the next',
    find: ({ rows }) =>
      rows.maintenance_calls
        .toSorted((one, other) => one.call_number - other.call_number)
        .filter((call, at) => call.call_number !== at + 1),
    spoil: ({ rows }) => void first(rows.maintenance_calls).call_number++,
  },
  {
    name: 'plants have another last number of a call than there are',
    find: ({ rows }) =>
      rows.maintenance_call_numbers.filter(({ last_number: last }) => last !== rows.maintenance_calls.length),
    spoil: ({ rows }) => void first(rows.maintenance_call_numbers).last_number++,
  },
  {
    name: 'calls say another number of presses that joined',
    find: (world) => {
      const joins = joinsOf(world)
      return world.rows.maintenance_calls.filter(({ id, joined }) => joined !== (joins.get(id)?.length ?? 0))
    },
    spoil: ({ rows }) => void first(rows.maintenance_calls).joined++,
  },
  {
    name: 'presses joined no call',
    find: ({ rows }) => {
      const here = idsOf(rows.maintenance_calls)
      return rows.maintenance_call_joins.filter(({ call_id: id }) => !here.has(id))
    },
    spoil: ({ rows }) => void Object.assign(first(rows.maintenance_call_joins), { call_id: 'nothing' }),
  },
  {
    name: 'calls are settled by nobody, or open and settled',
    find: ({ rows }) =>
      rows.maintenance_calls.filter((call) => {
        const isSettled = call.state === 'resolvido' || call.state === 'cancelado'
        return isSettled !== (call.settled_at !== null && call.settled_user_id !== null)
      }),
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.maintenance_calls, ({ state }) => state === 'resolvido'),
        { settled_at: null },
      ),
  },
  {
    name: 'calls bear another version than their changes make',
    find: ({ rows }) =>
      rows.maintenance_calls.filter((call) => {
        const isOwn = call.acknowledged_at !== null && call.acknowledged_at !== call.settled_at
        return call.version !== 1 + Number(isOwn) + Number(call.settled_at !== null)
      }),
    spoil: ({ rows }) => void first(rows.maintenance_calls).version++,
  },
  {
    name: 'calls were seen as settled and are not, or settled without a trail',
    find: ({ rows, changes }) => {
      const actions = { resolvido: 'call_resolved', cancelado: 'call_cancelled' } as Record<string, string>
      const written = new Set(rows.audit_entries.map(({ action, subject_id: id }) => `${action} ${id}`))
      const seen = new Set(changes.filter(({ isSeen }) => isSeen).map(({ action, subject }) => `${action} ${subject}`))
      return rows.maintenance_calls.filter(({ id, state }) =>
        Object.entries(actions).some(([settled, action]) => {
          const isIt = state === settled
          return (isIt && !written.has(`${action} ${id}`)) || (!isIt && seen.has(`${action} ${id}`))
        }),
      )
    },
    spoil: ({ rows, changes }) => {
      const { subject } = first(changes, ({ action, isSeen }) => action === 'call_resolved' && isSeen)
      for (const call of rows.maintenance_calls) if (call.id === subject) call.state = 'aberto'
    },
  },
]

/** A storm is no reason for a new life of the database, and none to doubt anybody. */
const living: Check[] = [
  {
    name: 'epochs have begun',
    find: ({ epochs: [before, after] }) => (before === after ? [] : [after]),
    spoil: ({ epochs }) => void epochs.splice(1, 1, 'another'),
  },
  {
    name: 'devices have shown what the database lacks',
    find: ({ rows }) => rows.epoch_witnesses,
    spoil: ({ rows }) =>
      rows.epoch_witnesses.push({
        epoch: '',
        kind: 'receipt',
        device: '',
        subject: '',
        user_id: 1,
        seen_at: 0,
        dismissed: 0,
      }),
  },
  {
    name: 'deliveries are retained whose author has brought them again',
    find: ({ rows, presses }) => {
      const brought = idsOf(presses.filter(({ seen }) => seen === 'saved'))
      return rows.retained_deliveries.filter(({ id, state }) => state === 'open' && brought.has(id))
    },
    spoil: ({ rows }) => void Object.assign(first(rows.retained_deliveries), { state: 'open' }),
  },
  {
    name: 'deliveries have arrived or were taken and are not here',
    find: ({ rows }) => {
      const here = idsOf(rows.recordings)
      return rows.retained_deliveries.filter(
        ({ id, state }) => (state === 'arrived' || state === 'taken') && !here.has(id),
      )
    },
    spoil: ({ rows }) => {
      const { id } = first(rows.retained_deliveries, ({ state }) => state === 'arrived')
      rows.recordings = rows.recordings.filter((row) => row.id !== id)
    },
  },
  {
    name: 'deliveries are not taken once each by the trail',
    find: ({ rows }) => {
      const taken = Map.groupBy(
        rows.audit_entries.filter(({ action }) => action === 'retained_taken'),
        (row) => row.subject_id,
      )
      return rows.retained_deliveries.filter(
        ({ id, state }) => (taken.get(id)?.length ?? 0) !== (state === 'taken' ? 1 : 0),
      )
    },
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.retained_deliveries, ({ state }) => state === 'taken'),
        { state: 'arrived' },
      ),
  },
  {
    name: 'sessions were ended by an admin and live',
    find: ({ rows }) => rows.sessions.filter(({ ended_why: why, revoked_at: at }) => why === 'admin' && at === null),
    spoil: ({ rows }) =>
      void Object.assign(
        first(rows.sessions, ({ ended_why: why }) => why === 'admin'),
        { revoked_at: null },
      ),
  },
  {
    name: 'files of the database are damaged',
    find: ({ integrity }) => (integrity === 'ok' ? [] : [integrity]),
    spoil: (world) => void Object.assign(world, { integrity: 'row 1 missing from index' }),
  },
]

export const checksOfActs = [...seeing, ...measuring, ...calling, ...living]
