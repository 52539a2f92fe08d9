import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { InstrumentForm } from '../../src/contract/instruments.ts'
import { type AlarmKind, alarmKinds, judgeAlarm, type ServerFacts } from '../../src/domain/plant/alarms.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { migrateUpTo } from '../../src/server/store/db/migrate.ts'
import { insertInstrument, updateInstrument } from '../../src/server/store/instruments.ts'
import { keepStandIn } from '../../src/server/store/settings.ts'
import { openChannels } from '../../src/server/upkeep/alarm-channels.ts'
import { openAlarmWatch } from '../../src/server/upkeep/alarms.ts'
import { makeBackup, restore } from '../../src/server/upkeep/backups.ts'
import { openFutureWatch } from '../../src/server/upkeep/clock.ts'
import { lookAsBefore, withAlarms } from '../support/alarms.ts'
import { makeCertificate, startTlsServer } from '../support/certificates.ts'
import { databases, NOON_MS, openTestDb, openTestPanel, temporaryFolder, testClock } from '../support/harness.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Panel = Awaited<ReturnType<typeof withAlarms>>

const wellAt = (now: number, name: string): ServerFacts => ({
  server: `${name}:3000`,
  account: 'painel',
  version: 'v2.0',
  startedAt: now - DAY_MS,
  readAt: now,
  erp: { awaySince: null, latencyMs: 40, fault: null, access: 'ok', isConfigured: true },
  disks: [diskOf('data', 50), diskOf('backups', 50)],
  backup: { newestAt: now, triedOutAt: now },
  certificates: [lifeOf('erp', now, 80), lifeOf('panel', now, 80)],
  clock: { apartMs: 0, isTrusted: true },
})
const diskOf = (folder: 'data' | 'backups', freeBytes: number) => ({ folder, freeBytes, totalBytes: 100 })
const lifeOf = (of: 'erp' | 'panel', now: number, days: number) => ({
  ...{ of, beginsAt: now + (days - 90) * DAY_MS, endsAt: now + days * DAY_MS },
})

type Trouble = (now: number) => Partial<ServerFacts>
const away: Trouble = (now) => ({ erp: { ...wellAt(now, '').erp, awaySince: now - 6 * MINUTE_MS } })
const refused: Trouble = (now) => ({ erp: { ...wellAt(now, '').erp, access: 'refused' } })
const withoutErp: Trouble = (now) => ({ erp: { ...wellAt(now, '').erp, isConfigured: false } })
const silentDirectory: Trouble = (now) => ({
  directory: { awaySince: now - 6 * MINUTE_MS, lastOkAt: now - 7 * MINUTE_MS, fault: null, access: 'ok' },
})
const refusingDirectory: Trouble = (now) => ({
  directory: { awaySince: null, lastOkAt: now, fault: null, access: 'refused' },
})
const apart: Trouble = () => ({ clock: { apartMs: 31_000, isTrusted: true } })
const fullOf =
  (...folders: string[]): Trouble =>
  () => ({
    disks: [diskOf('data', folders.includes('data') ? 5 : 50), diskOf('backups', folders.includes('backups') ? 5 : 50)],
  })
const closedOf =
  (...folders: string[]): Trouble =>
  () => ({
    folders: (['documents', 'backups'] as const).flatMap((folder) =>
      folders.includes(folder) ? [{ folder, text: `A pasta ${folder} não existe.` }] : [],
    ),
  })
const endingOf =
  (...whose: string[]): Trouble =>
  (now) => ({
    certificates: (['erp', 'panel'] as const).map((of) => lifeOf(of, now, whose.includes(of) ? 10 : 80)),
  })
const well: Trouble = () => ({})

/** Two servers of one plant look, as each knows itself by now. */
async function bothLook(panel: Panel, one: Trouble, two: Trouble): Promise<string[]> {
  panel.clock.advance(MINUTE_MS)
  const now = panel.clock.now()
  const looks = [one, two].map((trouble, at) => {
    const facts = { ...wellAt(now, `painel${at + 1}`), ...trouble(now) }
    return openAlarmWatch(panel.context, { read: async () => facts }, openChannels(panel.context.config))
  })
  // once before the other has reported, then both at once
  for (const look of looks) await look()
  await Promise.all(looks.map((look) => look()))
  return heard(panel)
}
const heard = ({ receiver }: Panel) =>
  receiver.messages.splice(0).map(({ situacao, assuntos }) => `${situacao} ${assuntos.join(' + ')}`)

/** Each kind that is judged server by server. */
const ofServers: [kind: AlarmKind, trouble: Trouble][] = [
  ['erp_away', away],
  ['erp_refused', refused],
  ['erp_missing', withoutErp],
  ['directory_away', silentDirectory],
  ['directory_refused', refusingDirectory],
  ['clock', apart],
]
/** Each kind that is judged part by part of a server. */
const ofParts: [kind: AlarmKind, part: string, other: string, of: (...parts: string[]) => Trouble][] = [
  ['disk_low', 'data', 'backups', fullOf],
  ['folder_closed', 'documents', 'backups', closedOf],
  ['certificate_ends', 'erp', 'panel', endingOf],
]

type Course = { kind: AlarmKind; first: string; next: string; looks: [one: Trouble, two: Trouble][] }
const courseOf = (kind: AlarmKind, trouble: Trouble, part = ''): Course => ({
  ...{ kind, first: `painel1:3000${part}`, next: `painel2:3000${part}` },
  looks: [
    [trouble, well],
    [trouble, trouble],
    [well, trouble],
    [well, well],
  ],
})
const courses: Course[] = [
  ...ofServers.map(([kind, trouble]) => courseOf(kind, trouble)),
  ...ofParts.flatMap(([kind, part, other, of]) => [
    courseOf(kind, of(part), ` ${part}`),
    {
      ...{ kind, first: `painel1:3000 ${part}`, next: `painel1:3000 ${other}` },
      looks: [of(part), of(part, other), of(other), well].map((one): [Trouble, Trouble] => [one, well]),
    },
  ]),
]

test('each kind that several servers may have is in the courses below', () => {
  const facts = { now: NOON_MS, needsBackup: true, servers: [wellAt(NOON_MS, 'painel1')] }
  const noEpoch = { doubtedAt: null, epochBegun: null }
  const gauges = { calibrations: [], today: '2026-11-21' }
  const waiting = { oldestWaitingAt: null, oldestRetainedAt: null, blocksPassed: 0, outsideUnanswered: 0 }
  const plant = { ...facts, ...waiting, ...gauges, hadErp: true, ...noEpoch }
  const apart = alarmKinds.filter((kind) => judgeAlarm(kind, plant).some(({ subject }) => subject !== ''))
  expect([...new Set(courses.map(({ kind }) => kind))].toSorted()).toEqual(apart.toSorted())
})

test('each gauge is due by itself from 14 days before, until it is calibrated anew, or used no more', async () => {
  const panel = await withAlarms({})
  const gauge = { descricao: '', resolucao: 1, ativo: true }
  const [mic, other] = await panel.db.transaction(async (tx) => [
    await insertInstrument(tx, { ...gauge, codigo: 'MIC 1', calibradoAte: '2026-12-05' }),
    await insertInstrument(tx, { ...gauge, codigo: 'DIN', calibradoAte: '2026-12-06' }),
  ])
  await panel.db.transaction((tx) => insertInstrument(tx, { ...gauge, codigo: 'PAQ' }))
  const change = (id: number | undefined, more: Partial<InstrumentForm> & { codigo: string }) =>
    panel.db.transaction((tx) => updateInstrument(tx, id ?? 0, { ...gauge, ...more }, null))
  expect(await bothLook(panel, well, well)).toEqual(['comecou MIC\u00a01'])
  panel.clock.advance(DAY_MS)
  expect(await bothLook(panel, well, well)).toEqual(['comecou DIN'])
  await change(mic, { codigo: 'MIC 1', calibradoAte: '2027-12-05' })
  expect(await bothLook(panel, well, well)).toEqual(['terminou MIC\u00a01'])
  panel.clock.advance(30 * DAY_MS)
  expect(await bothLook(panel, well, well), 'said once, over its day too').toEqual([])
  await change(other, { codigo: 'DIN', calibradoAte: '2026-12-06', ativo: false })
  expect(await bothLook(panel, well, well)).toEqual(['terminou DIN'])
})

describe.each(databases)('on %s', (database) => {
  test('an alarm of one subject begins while it is on of another, and each ends by itself', async () => {
    const panel = await withAlarms({ database })
    await panel.db.transaction((tx) => keepStandIn(tx, false))
    for (const { kind, first, next, looks } of courses) {
      expect(await bothLook(panel, well, well), kind).toEqual([])
      const said: string[][] = []
      for (const [one, two] of looks) said.push(await bothLook(panel, one, two))
      expect(said, `${kind}: ${first}, ${next}`).toEqual([
        [`comecou ${first}`],
        [`comecou ${next}`],
        [`terminou ${first}`],
        [`terminou ${next}`],
      ])
      panel.clock.advance(HOUR_MS)
    }
    expect(
      await panel.db.read.selectFrom('alarm_states').select('kind').where('begun_at', 'is not', null).execute(),
    ).toEqual([])
  })

  test('a kind that is on at the upgrade is carried over without a second message, and its end is said once', async () => {
    const db = await openTestDb(database)
    await migrateUpTo(db, '2026-11-30-parts-of-calls-02-wear_parts_of_call')
    const row = { channel: 'webhook', said_at: NOON_MS - DAY_MS, is_said: 1, lease_owner: null, lease_until: 0 }
    await db.transaction((tx) =>
      tx
        .insertInto('alarm_states')
        .values(['disk_low', 'certificate_ends'].map((kind) => ({ kind, begun_at: NOON_MS - DAY_MS, ...row })))
        .execute(),
    )
    const panel = await withAlarms({ db })
    const full: Trouble = (now) => ({ ...fullOf('data')(now), ...endingOf('erp', 'panel')(now) })
    expect(await bothLook(panel, full, well)).toEqual([])
    expect(await bothLook(panel, full, fullOf('data')), 'what begins after it').toEqual(['comecou painel2:3000 data'])
    expect(await bothLook(panel, well, fullOf('data'))).toEqual([
      'terminou painel1:3000 data',
      'terminou painel1:3000 erp + painel1:3000 panel',
    ])
    expect(await bothLook(panel, well, well)).toEqual(['terminou painel2:3000 data'])
  })

  test.each(['before', 'after'] as const)(
    'beside a server of the version before, which looks %s this one, nothing is said twice',
    async (order) => {
      const panel = await withAlarms({ database })
      const [channel] = openChannels(panel.context.config)
      if (channel === undefined) throw new Error('no channel is set up')
      const look = async (kind: AlarmKind, one: Trouble, older: Trouble) => {
        panel.clock.advance(MINUTE_MS)
        const now = panel.clock.now()
        const facts = { ...wellAt(now, 'painel1'), ...one(now) }
        const olderFacts = { ...wellAt(now, 'painel2'), ...older(now) }
        const looks = [
          () => lookAsBefore(panel, { kind, channel, facts: olderFacts }),
          openAlarmWatch(panel.context, { read: async () => facts }, [channel]),
        ]
        if (order === 'after') looks.reverse()
        for (let round = 0; round < 2; round++) for (const each of looks) await each()
        return heard(panel).map((text) => text.split(' ')[0])
      }
      expect(await look('disk_low', well, well)).toEqual([])
      expect(await look('disk_low', fullOf('data'), well)).toEqual(['comecou'])
      expect(await look('disk_low', fullOf('data', 'backups'), well)).toEqual(['comecou'])
      expect(await look('disk_low', fullOf('data', 'backups'), fullOf('data'))).toEqual(['comecou'])
      expect(await look('disk_low', fullOf('backups'), fullOf('data'))).toEqual(['terminou'])
      expect(await look('disk_low', well, fullOf('data'))).toEqual(['terminou'])
      expect(await look('disk_low', well, well)).toEqual(['terminou'])
      // of the younger server's it does not know the beginning, and goes by thirty days
      const renewing: Trouble = (now) => ({ certificates: [lifeOf('panel', now, 20)] })
      expect(await look('certificate_ends', renewing, well)).toEqual(['comecou'])
      expect(await look('certificate_ends', renewing, well)).toEqual([])
      expect(await look('certificate_ends', well, well)).toEqual(['terminou'])
    },
  )
})

test('what was said goes with a backup: the plant that is put back repeats nothing', async () => {
  const placeOf = (dataDir: string): Parameters<typeof restore>[1] & Parameters<typeof makeBackup>[0] => ({
    ...{ dataDir, documentsDir: join(dataDir, 'documentos'), backupDir: join(dataDir, 'backups'), secretKeyFile: null },
    database: { kind: 'sqlite', file: join(dataDir, 'painel.sqlite') },
  })
  const openPlace = ({ database }: ReturnType<typeof placeOf>) => {
    const db = openDb(database)
    onTestFinished(() => db.close())
    return db
  }
  const [place, other] = [placeOf(temporaryFolder()), placeOf(temporaryFolder())]
  const panel = await withAlarms({ db: openPlace(place) })
  expect(await bothLook(panel, fullOf('data'), well)).toEqual(['comecou painel1:3000 data'])
  await restore(await makeBackup(place, panel.clock.now()), other, panel.clock.now())
  const env = { ALARM_WEBHOOK_URL: panel.receiver.url, DATA_DIR: other.dataDir }
  const again = await openTestPanel({ db: openPlace(other), clock: panel.clock, env })
  // of the plant itself: that a backup was put back
  expect(await bothLook({ ...panel, ...again }, fullOf('data'), fullOf('data'))).toEqual([
    'comecou ',
    'comecou painel2:3000 data',
  ])
})

test('a renamed server’s alarm ends after a day, and what a clock a year ahead has written does not hold it', async () => {
  const panel = await withAlarms()
  panel.clock.set(365 * DAY_MS)
  expect(await bothLook(panel, well, fullOf('data'))).toEqual(['comecou painel2:3000 data'])
  panel.clock.set(-365 * DAY_MS)
  const clock = { now: panel.clock.now, follow: async () => {}, apartMs: () => 0 }
  await openFutureWatch(panel.context, clock, panel.clock.elapsedMs)()
  const look = async (hours: number) => {
    panel.clock.advance(hours * HOUR_MS)
    const facts = wellAt(panel.clock.now(), 'painel1')
    await openAlarmWatch(panel.context, { read: async () => facts }, openChannels(panel.context.config))()
    return panel.receiver.messages.splice(0).map(({ situacao, texto }) => `${situacao}: ${texto}`)
  }
  expect(await look(23)).toEqual([])
  expect(await look(2)).toEqual([
    'terminou: Encerrado sem notícia há 24 horas: Disco quase cheio (painel2:3000, dados).',
  ])
})

test('two certificates that end are two alarms: each begins once and ends once, and one that renews itself is none', async () => {
  const renewing = makeCertificate({ days: 5, age: 1 })
  const [own, erp] = [await startTlsServer(renewing), await startTlsServer(makeCertificate({ days: 40 }))]
  const panel = await withAlarms({
    env: { PUBLIC_URL: own.url, ERP_URL: erp.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel' },
    clock: testClock(Date.now()),
  })
  const heard = async (hours: number) => {
    panel.clock.advance(hours * HOUR_MS)
    await panel.look()
    await panel.look()
    panel.logged()
    return panel.receiver.messages
      .splice(0)
      .filter(({ alarme }) => alarme === 'certificate_ends')
      .map(({ alarme, situacao, assuntos, texto }) => [`${alarme} ${situacao}`, assuntos.map(partOf), texto])
  }
  const server = (await panel.context.serverWatch.read()).server
  const partOf = (subject: string) => subject.replace(`${server} `, '')
  const ends = 'certificate_ends terminou'
  expect(await heard(0), 'six days long, five left').toEqual([])
  expect(await heard(4 * 24 + 1)).toEqual([
    ['certificate_ends comecou', ['panel'], expect.stringMatching(/^O certificado do painel vence em 22 horas/)],
  ])
  expect(await heard(14 * 24), 'of 140 days').toEqual([
    ['certificate_ends comecou', ['erp'], expect.stringMatching(/^O certificado do ERP vence em 21 dias/)],
  ])
  own.renew(makeCertificate({ days: 60, age: 1 }))
  expect(await heard(1)).toEqual([[ends, ['panel'], expect.stringMatching(/\(do painel\)\. Continua: do ERP\.$/)]])
  erp.renew(makeCertificate({ days: 400, age: 1 }))
  expect(await heard(1)).toEqual([[ends, ['erp'], 'Voltou ao normal: Certificado vence (do ERP).']])
})
