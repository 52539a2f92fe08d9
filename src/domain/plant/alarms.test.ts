import { describe, expect, test } from 'vitest'
import {
  type AlarmKind,
  alarmKinds,
  type DirectoryFacts,
  isAnyOn,
  judgeAlarm,
  type PlantFacts,
  type ServerFacts,
  textOf,
} from './alarms.ts'

const NOW = Date.UTC(2026, 10, 21, 15)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const well: ServerFacts = {
  server: 'painel1:3000',
  account: 'painel',
  version: 'v2.0',
  startedAt: NOW - DAY_MS,
  readAt: NOW,
  erp: { awaySince: null, latencyMs: 40, fault: null, access: 'ok' },
  disks: [{ folder: 'data', freeBytes: 50, totalBytes: 100 }],
  backup: { newestAt: NOW - 10 * HOUR_MS, triedOutAt: NOW - 10 * HOUR_MS },
  certificates: [{ of: 'erp', endsAt: NOW + 90 * DAY_MS }],
  clock: { apartMs: 0, isTrusted: true },
}
const plantOf = (...servers: Partial<ServerFacts>[]): PlantFacts => ({
  now: NOW,
  oldestWaitingAt: null,
  oldestRetainedAt: null,
  blocksPassed: 0,
  calibrations: [],
  today: '2026-11-21',
  outsideUnanswered: 0,
  doubtedAt: null,
  epochBegun: null,
  hadErp: false,
  needsBackup: true,
  servers: servers.map((server) => ({ ...well, ...server })),
})
const isOnIn = (kind: AlarmKind, facts: PlantFacts) => isAnyOn(judgeAlarm(kind, facts))
const textIn = (kind: AlarmKind, facts: PlantFacts) => textOf(judgeAlarm(kind, facts))
const onIn = (facts: PlantFacts) => alarmKinds.filter((kind) => isOnIn(kind, facts))
const lifeOf = (days: number, leftMs: number) =>
  ({ of: 'panel', beginsAt: NOW + leftMs - days * DAY_MS, endsAt: NOW + leftMs }) as const
const erpOf = (erp: Partial<ServerFacts['erp']>) => ({ erp: { ...well.erp, ...erp } })

const directoryOf = (directory: Partial<DirectoryFacts>) => ({
  directory: { awaySince: null, lastOkAt: NOW, fault: null, access: 'ok' as const, ...directory },
})

describe('an alarm', () => {
  test('is not on in a plant that is well', () => {
    expect(alarmKinds.map((kind) => isOnIn(kind, plantOf({})))).toEqual(alarmKinds.map(() => false))
    expect(isOnIn('certificate_ends', plantOf({ certificates: [] })), 'without https').toBe(false)
  })

  test.each<[AlarmKind, PlantFacts, PlantFacts, string]>([
    [
      'erp_away',
      plantOf(erpOf({ awaySince: NOW - 5 * MINUTE_MS - 1 })),
      plantOf(erpOf({ awaySince: NOW - 5 * MINUTE_MS })),
      'há 5 minutos',
    ],
    ['erp_refused', plantOf(erpOf({ access: 'refused' })), plantOf({}), 'ERP_USER'],
    [
      'erp_missing',
      { ...plantOf(erpOf({ isConfigured: false })), hadErp: true },
      { ...plantOf(erpOf({ isConfigured: true })), hadErp: true },
      'ERP_URL, ERP_USER e ERP_PASSWORD',
    ],
    [
      'directory_away',
      plantOf(directoryOf({ awaySince: NOW - 5 * MINUTE_MS - 1, fault: { reason: 'unreachable', at: NOW } })),
      plantOf(directoryOf({ awaySince: NOW - 5 * MINUTE_MS })),
      'há 5 minutos: só usuários locais entram.\nNinguém atende',
    ],
    ['directory_refused', plantOf(directoryOf({ access: 'refused' })), plantOf(directoryOf({})), 'LDAP_USER'],
    [
      'oldest_waiting',
      { ...plantOf({}), oldestWaitingAt: NOW - 15 * MINUTE_MS - 1 },
      { ...plantOf({}), oldestWaitingAt: NOW - 15 * MINUTE_MS },
      'há 15 minutos',
    ],
    [
      'retained',
      { ...plantOf({}), oldestRetainedAt: NOW - 3 * HOUR_MS },
      { ...plantOf({}), oldestRetainedAt: NOW - HOUR_MS },
      'há 3 horas',
    ],
    [
      'plan_blocks_passed',
      { ...plantOf({}), blocksPassed: 2 },
      plantOf({}),
      '2 apontamentos passaram sem rede pelo bloqueio',
    ],
    [
      'calibration_due',
      { ...plantOf({}), calibrations: [{ code: 'MIC 1', untilDay: '2026-12-05' }] },
      { ...plantOf({}), calibrations: [{ code: 'MIC 1', untilDay: '2026-12-06' }] },
      'A calibração do instrumento MIC 1 vence em 05/12/2026.',
    ],
    [
      'sample_outside',
      { ...plantOf({}), outsideUnanswered: 2 },
      plantOf({}),
      '2 medições fora do plano sem resposta há mais de 15 minutos. Veja Ocorrências em Planos de Controle.',
    ],
    ['database_doubted', { ...plantOf({}), doubtedAt: NOW - 5 * MINUTE_MS }, plantOf({}), 'há 5 minutos'],
    [
      'epoch_begun',
      { ...plantOf({}), epochBegun: { at: NOW - 24 * HOUR_MS, why: 'restored' } },
      { ...plantOf({}), epochBegun: { at: NOW - 24 * HOUR_MS - 1, why: 'restored' } },
      'há 24 horas: um backup foi posto de volta',
    ],
    [
      'backup_old',
      plantOf({ backup: { newestAt: NOW - 26 * HOUR_MS - 1, triedOutAt: null } }),
      plantOf({ backup: { newestAt: NOW - 26 * HOUR_MS, triedOutAt: null } }),
      'tem 26 horas',
    ],
    [
      'disk_low',
      plantOf({ disks: [{ folder: 'backups', freeBytes: 9, totalBytes: 100 }] }),
      plantOf({ disks: [{ folder: 'backups', freeBytes: 10, totalBytes: 100 }] }),
      'backups (9% livres)',
    ],
    [
      'certificate_ends',
      plantOf({ certificates: [{ of: 'panel', endsAt: NOW + 30 * DAY_MS - 1 }] }),
      plantOf({ certificates: [{ of: 'panel', endsAt: NOW + 30 * DAY_MS }] }),
      'do painel vence em 29 dias',
    ],
    [
      'certificate_ends',
      plantOf({ certificates: [lifeOf(90, 15 * DAY_MS - 1)] }),
      plantOf({ certificates: [lifeOf(90, 15 * DAY_MS)] }),
      'do painel vence em 14 dias',
    ],
    [
      'certificate_ends',
      plantOf({ certificates: [lifeOf(6, DAY_MS - 1)] }),
      plantOf({ certificates: [lifeOf(6, DAY_MS)] }),
      'do painel vence em 23 horas',
    ],
    [
      'certificate_ends',
      plantOf({ certificates: [lifeOf(365, 30 * DAY_MS - 1)] }),
      plantOf({ certificates: [lifeOf(365, 30 * DAY_MS)] }),
      'do painel vence em 29 dias',
    ],
    [
      'clock',
      plantOf({ clock: { apartMs: 30_001, isTrusted: true } }),
      plantOf({ clock: { apartMs: 30_000, isTrusted: true } }),
      'diferem em 30 segundos',
    ],
    [
      'folder_closed',
      plantOf({ folders: [{ folder: 'documents', text: 'DOCUMENTS_DIR inválido: /mnt/d não existe.' }] }),
      plantOf({ folders: [] }),
      'DOCUMENTS_DIR inválido: /mnt/d',
    ],
    ['clock', plantOf({ clock: { apartMs: 0, isTrusted: false } }), plantOf({}), 'muito à frente'],
  ])('%s begins beyond its limit, not at it, and says what to know', (kind, beyond, within, text) => {
    expect(onIn(beyond)).toEqual([kind])
    expect(textIn(kind, beyond)).toContain(text)
    expect(onIn(within)).toEqual([])
  })

  test('of one server of two is on, and names it', () => {
    const two = plantOf({}, { server: 'painel2:3000', ...erpOf({ awaySince: NOW - HOUR_MS }) })
    expect(textIn('erp_away', two)).toMatch(/^painel2:3000: O ERP/)
  })

  test('says what each is about, and what is to be done once', () => {
    const full = { folder: 'data', freeBytes: 1, totalBytes: 100 } as const
    expect(textIn('disk_low', plantOf({ disks: [full, { ...full, folder: 'documents' }] }))).toBe(
      'Pouco espaço no disco da pasta de dados (1% livres).\nPouco espaço no disco da pasta de documentos (1% livres).\nLibere espaço.',
    )
  })

  test('of the backup looks at the newest of all servers, and a plant without any has one to make', () => {
    const old = { backup: { newestAt: null, triedOutAt: null } }
    expect(onIn(plantOf({}, old))).toEqual([])
    expect(onIn(plantOf(old, old))).toEqual(['backup_old'])
    expect(onIn({ ...plantOf(old), needsBackup: false })).toEqual([])
  })

  test('of the backup says why there is none, or no newer one, and on which machine', () => {
    const folders: ServerFacts['folders'] = [{ folder: 'backups', text: 'BACKUP_DIR inválido: /mnt/b não existe.' }]
    const none = plantOf({ folders, backup: { newestAt: null, triedOutAt: null } })
    expect(textIn('backup_old', none)).toBe('Ainda não há backup. Em painel1: BACKUP_DIR inválido: /mnt/b não existe.')
    const old = plantOf({ folders, backup: { newestAt: NOW - 3 * DAY_MS, triedOutAt: null } })
    expect(textIn('backup_old', old)).toMatch(/tem 3 dias\. Em painel1: BACKUP_DIR inválido: /)
  })

  test('of the backup names the command, the machine and the account, also where there are several', () => {
    const old = { backup: { newestAt: null, triedOutAt: null } }
    expect(textIn('backup_old', plantOf(old))).toMatch(
      /: \.\/painel backup, na pasta do painel em painel1 \(conta painel\)\.$/,
    )
    const { account: _, ...before } = well
    expect(textIn('backup_old', { ...plantOf(), servers: [{ ...before, ...old }] })).toMatch(/ em painel1\.$/)
    const two = plantOf(old, { ...old, server: 'painel2:3000', account: 'servico' })
    expect(textIn('backup_old', two)).toMatch(/ em painel1 \(conta painel\) ou painel2 \(conta servico\)\.$/)
    const aged = { backup: { newestAt: NOW - 27 * HOUR_MS, triedOutAt: null } }
    expect(textIn('backup_old', plantOf(aged))).toBe(
      'O último backup tem 27 horas. Veja no diário de painel1 o que falhou.',
    )
  })

  test('of a missing ERP is none where nobody has named one yet, nor from a server of the version before', () => {
    expect(isOnIn('erp_missing', plantOf(erpOf({ isConfigured: false })))).toBe(false)
    expect(isOnIn('erp_missing', { ...plantOf({}), hadErp: true })).toBe(false)
  })

  test('stays as it is where a server that has just started cannot tell yet', () => {
    const started = plantOf(erpOf({ awaySince: NOW - MINUTE_MS, access: 'unknown' }))
    expect([isOnIn('erp_away', started), isOnIn('erp_refused', started)]).toEqual([null, null])
    const fresh = plantOf(directoryOf({ lastOkAt: null, access: 'unknown' }))
    expect([isOnIn('directory_away', fresh), isOnIn('directory_refused', fresh)]).toEqual([null, null])
  })
})
