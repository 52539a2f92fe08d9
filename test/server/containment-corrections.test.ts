import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readRows, stateOf, storeContainment } from '../support/containments.ts'
import { crimpOf, databases } from '../support/harness.ts'
import { blocked, setUp } from '../support/waiting.ts'

const piecesOf = async (panel: Awaited<ReturnType<typeof setUp>>, id: string) =>
  (await readRows(panel.db, id)).map(({ recording_id, certainty, balance }) => ({
    ...{ recording: recording_id, certainty, pieces: balance.pieces, suspect: balance.suspect },
  }))

describe.each(databases)('corrections of what is contained on %s', (database) => {
  test('what takes the place of a recording joins as suspect as that was; made with another tool, it does not', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(blocked(crimpOf(10)))
    const containment = await storeContainment(panel.db, [{ id, pieces: 10, certainty: 'possivel' }])
    const newId = randomUUID()
    expect((await panel.decide(panel.token, id, 'correcao', crimpOf(7), newId)).statusCode).toBe(201)
    expect(await piecesOf(panel, containment)).toEqual([
      { recording: id, certainty: 'possivel', pieces: 0, suspect: 0 },
      { recording: newId, certainty: 'possivel', pieces: 7, suspect: 7 },
    ])
    const other = await panel.park(blocked(crimpOf(10)))
    const elsewhere = await storeContainment(panel.db, [{ id: other, pieces: 10 }], { number: 124 })
    await panel.decide(panel.token, other, 'correcao', crimpOf(8, 'MA-0002'))
    expect(await piecesOf(panel, elsewhere)).toEqual([{ recording: other, certainty: 'certo', pieces: 0, suspect: 0 }])
  })

  test('what is discarded holds no suspect pieces; what was decided of it diverges, and opens its containment', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(blocked(crimpOf(10)))
    const containment = await storeContainment(panel.db, [{ id, pieces: 10 }], {
      ...{ state: 'encerrada', close_reason: '', closed_at: 1, closed_by: 'Rita Melo', closed_user_id: 1 },
    })
    const [row] = await readRows(panel.db, containment)
    await panel.db.transaction((tx) =>
      tx
        .insertInto('containment_steps')
        .values({
          ...{ press_id: randomUUID(), content_hash: 'x', containment_id: containment, row_id: row?.id ?? 0 },
          ...{ kind: 'liberar', of_step: null, pieces: 10, reason: 'Medidas', checked: 'medidas-100' },
          ...{ sample_pieces: null, checked_text: null, scrap_reason: null, decided_by: 'Rita Melo', user_id: 1 },
          ...{ at: 1, decided_day: '2026-11-21' },
        })
        .execute(),
    )
    const untouched = await storeContainment(panel.db, [{ id, pieces: 10 }], { number: 124 })
    expect((await panel.decide(panel.admin, id, 'descarte', { motivo: 'em dobro' })).statusCode).toBe(200)
    expect(await piecesOf(panel, untouched)).toEqual([{ recording: id, certainty: 'certo', pieces: 0, suspect: 0 }])
    const [divergent] = await readRows(panel.db, containment)
    expect(divergent?.balance).toMatchObject({ pieces: 0, suspect: 0, released: 10 })
    expect(await stateOf(panel.db, containment)).toBe('aberta')
    const trail = await panel.db.read
      .selectFrom('audit_entries')
      .select(['user_name', 'reason'])
      .where('action', '=', 'containment_reopened')
      .execute()
    expect(trail).toEqual([{ user_name: 'painel', reason: 'Apontamento corrigido: 0 peças.' }])
    const steps = (await readRows(panel.db, untouched)).flatMap((one) => one.steps)
    expect(steps.map(({ kind, decided_by, user_id }) => [kind, decided_by, user_id])).toEqual([
      ['corrigir', 'painel', null],
    ])
  })

  test('what an ERP refuses at once holds none, and has its own again where its tablet had called it saved', async () => {
    const panel = await setUp({ database })
    const id = randomUUID()
    const containment = await storeContainment(panel.db, [{ id, pieces: 10 }])
    const refused = await panel.record(panel.token, blocked(crimpOf(10)), id)
    expect(refused.statusCode).toBe(422)
    expect(await piecesOf(panel, containment)).toMatchObject([{ pieces: 0, suspect: 0 }])
    const saved = { ...blocked(crimpOf(10)), captura: { salvoNoDispositivo: true } }
    expect((await panel.record(panel.token, saved, id)).statusCode).toBe(202)
    expect(await piecesOf(panel, containment)).toMatchObject([{ pieces: 10, suspect: 10 }])
  })
})
