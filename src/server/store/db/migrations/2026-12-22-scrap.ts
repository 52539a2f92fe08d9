import { sql } from 'kysely'
import { id, index, must, type Step, table } from './steps.ts'

type Shipped = [code: string, text: string, stage: string, kind: string]

const ofStage = (stage: string, kind: string, reasons: [code: string, text: string][]) =>
  reasons.map(([code, text]): Shipped => [code, text, stage, kind])

/** Reasons that a plant finds; their codes are printed, so they never change. */
const shipped: Shipped[] = [
  ...ofStage('corte', 'defeito', [
    ['comprimento-errado', 'Comprimento errado'],
    ['isolacao-danificada', 'Isolação danificada'],
    ['fios-cortados', 'Fios cortados'],
    ['gravacao-errada', 'Gravação errada'],
    ['cabo-errado', 'Cabo errado'],
  ]),
  ...ofStage('crimpagem', 'defeito', [
    ['altura-fora', 'Altura fora'],
    ['forca-baixa', 'Força baixa'],
    ['fios-fora', 'Fios fora do terminal'],
    ['isolacao-no-condutor', 'Isolação no condutor'],
    ['sem-boca-de-sino', 'Sem boca de sino'],
    ['terminal-torto', 'Terminal torto'],
    ['selo-danificado', 'Selo danificado ou ausente'],
    ['terminal-errado', 'Terminal errado'],
  ]),
  ...ofStage('juncao', 'defeito', [
    ['solda-fraca', 'Solda fraca'],
    ['fio-solto', 'Fio solto'],
    ['estanqueidade-reprovada', 'Estanqueidade reprovada'],
  ]),
  ...ofStage('todas', 'processo', [
    ['peca-de-ajuste', 'Peça de ajuste'],
    ['ensaio-destrutivo', 'Ensaio destrutivo'],
  ]),
  ...ofStage('todas', 'defeito', [
    ['outro', 'Outro'],
    ['contencao', 'Contenção'],
  ]),
]

const fill: Step = async (db) => {
  for (const [at, [code, text, stage, kind]] of shipped.entries()) {
    const { rows } = await sql`select id from scrap_reasons where code = ${code}`.execute(db)
    if (rows.length > 0) continue
    await sql`insert into scrap_reasons (code, text, text_key, stage, kind, position, active, version)
      values (${code}, ${text}, ${text.toLocaleLowerCase('pt-BR')}, ${stage}, ${kind}, ${at + 1}, 1, 1)`.execute(db)
  }
}

/** Scrap and rework, their reasons, and the sums by day that reports and tools read. */
export const scrap: Record<string, Step> = {
  scrap_reasons: table('scrap_reasons', (t, c) =>
    t
      .addColumn('id', c.autoId)
      .addColumn('code', c.key(40), (column) => column.notNull().unique())
      .addColumn('text', c.key(60), must)
      .addColumn('text_key', c.key(60), (column) => column.notNull().unique())
      .addColumn('stage', c.key(16), must)
      .addColumn('kind', c.key(16), must)
      .addColumn('position', c.integer, must)
      .addColumn('active', c.integer, must)
      .addColumn('version', c.integer, must),
  ),
  scrap_reasons_shipped: fill,
  scraps: table('scraps', (t, c) =>
    t
      .addColumn('id', c.key(36), id)
      .addColumn('content_hash', c.key(64), must)
      .addColumn('branch', c.key(12), must)
      .addColumn('part', c.key(16), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('barcode', c.key(64), must)
      .addColumn('position', c.key(64), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('terminal_key', c.key(255), must)
      .addColumn('gauge_milli', c.integer)
      .addColumn('unit', c.key(255), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('machine', c.key(255), must)
      .addColumn('lot', c.key(60), must)
      .addColumn('reason_code', c.key(40), must)
      .addColumn('note', c.key(120), must)
      .addColumn('is_rework', c.integer, must)
      .addColumn('pieces', c.integer, must)
      .addColumn('origin', c.key(16), must)
      .addColumn('trusted', c.integer, must)
      .addColumn('counted', c.integer, must)
      .addColumn('undone_at', c.integer)
      .addColumn('undone_by', c.key(255))
      .addColumn('undone_user_id', c.integer)
      .addColumn('undone_reason', c.longText)
      .addColumn('operator', c.key(255), must)
      .addColumn('user_id', c.integer, must)
      .addColumn('recorded_at', c.integer, must)
      .addColumn('received_at', c.integer, must)
      .addColumn('production_day', c.key(10), must),
  ),
  scraps_item: index('scraps_item', 'scraps', 'branch', 'barcode', 'part', 'recorded_at'),
  scraps_order: index('scraps_order', 'scraps', 'branch', 'order_number', 'position', 'recorded_at'),
  scraps_unit: index('scraps_unit', 'scraps', 'unit_key', 'recorded_at'),
  daily_scrap: table('daily_scrap', (t, c) =>
    t
      .addColumn('id', c.key(64), id)
      .addColumn('production_day', c.key(10), must)
      .addColumn('branch', c.key(12), must)
      .addColumn('part', c.key(16), must)
      .addColumn('order_number', c.key(64), must)
      .addColumn('machine', c.key(255), must)
      .addColumn('unit_key', c.key(255), must)
      .addColumn('terminal', c.key(255), must)
      .addColumn('reason_code', c.key(40), must)
      .addColumn('is_rework', c.integer, must)
      .addColumn('origin', c.key(16), must)
      .addColumn('wears', c.integer, must)
      .addColumn('pieces', c.integer, must),
  ),
  daily_scrap_day: index('daily_scrap_day', 'daily_scrap', 'production_day'),
  daily_scrap_unit: index('daily_scrap_unit', 'daily_scrap', 'unit_key', 'production_day'),
}
