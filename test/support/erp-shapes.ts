import { gzipSync } from 'node:zlib'
import { ORDER, UNTOUCHED } from './erp.ts'
import type { Change, HttpText } from './mutated-erp.ts'

type Json = Record<string, unknown>
const reply =
  (status: number, body: unknown): Change =>
  (answer) => ({
    ...answer,
    status,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  })
/** The document of a good answer, changed. */
const document =
  (change: (body: Json) => unknown): Change =>
  (answer: HttpText) => ({ ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as Json)) })
/** Every row of a list, changed. */
const row = (change: (one: Json, at: number) => Json): Change =>
  document((body) => ({ ...body, items: (body.items as Json[]).map(change) }))
export const value = (field: string, wrong: unknown): Change => row((one) => ({ ...one, [field]: wrong }))
export const without = (field: string): Change => row(({ [field]: _, ...others }) => others)
const part = (name: string, change: (one: Json) => Json): Change =>
  document(({ data }) => ({
    data: { ...(data as Json), [name]: [(data as Json)[name]].flat().map((one) => change(one as Json)) },
  }))
/** As a proxy sends it that was not asked. */
export const packed =
  (pack: (text: string) => Uint8Array, encoding: string): Change =>
  (answer) => ({ ...answer, bytes: pack(answer.text), headers: { ...answer.headers, 'content-encoding': encoding } })
const rename = (from: string, to: string): Change =>
  row(({ [from]: content, ...others }) => ({ ...others, [to]: content }))

const TOKEN = /token$/
export const ITEMS = /itens$/
export const MACHINES = /maquinas$/
const JUNCTIONS = /juncoes$/
const DETAILS = /detalhes$/
const LOOKUP = /integracoes\/[^/]+$/
export const STATUS = /status$/
const PAGE = '<html><body>HTTP Error</body></html>'
const ADDRESS = '/rest/p1/ApontamentoProducao'

/** A wrong shape of the ERP, and the first field and value that the check names. */
export const shapes: readonly [
  what: string,
  path: RegExp,
  change: Change,
  code: string,
  field: string,
  value: string,
][] = [
  ['a login at another address', TOKEN, reply(404, PAGE), 'no_such_path', 'HTTP 404', '"/rest/api/oauth2/v1/token"'],
  [
    'a user with a wrong password',
    TOKEN,
    reply(401, { errorMessage: 'Senha inválida' }),
    'login_refused',
    'HTTP 401',
    '"Senha inválida"',
  ],
  [
    'a refused login under status 200',
    TOKEN,
    reply(200, { errorCode: 7, errorMessage: 'Bloqueado' }),
    'login_refused',
    'HTTP 200',
    '"Bloqueado"',
  ],
  [
    'a token of another name',
    TOKEN,
    reply(201, { token: 'a', expires_in: 9 }),
    'no_access_token',
    'access_token',
    '"token, expires_in"',
  ],
  ['a page in place of items', ITEMS, reply(200, PAGE), 'html', 'HTTP 200', JSON.stringify(PAGE)],
  ['an unknown address of items', ITEMS, reply(404, PAGE), 'no_such_path', 'HTTP 404', `"${ADDRESS}/itens"`],
  [
    'items that the user may not read',
    ITEMS,
    reply(403, { errorMessage: 'Sem acesso' }),
    'not_allowed',
    'HTTP 403',
    '"Sem acesso"',
  ],
  ['items that take no token', ITEMS, reply(401, { errorMessage: 'Token' }), 'login_refused', 'HTTP 401', '"Token"'],
  [
    'a program that crashes',
    ITEMS,
    reply(500, { errorMessage: 'THREAD ERROR X' }),
    'crashed',
    'HTTP 500',
    '"{\\"errorMessage\\":\\"THREAD ERROR X\\"}"',
  ],
  ['no free thread', ITEMS, reply(503, 'Server Busy'), 'busy', 'HTTP 503', '"Server Busy"'],
  ['a proxy that answers instead', ITEMS, reply(502, PAGE), 'proxy', 'HTTP 502', JSON.stringify(PAGE)],
  [
    'an error under status 200',
    ITEMS,
    reply(200, { errorCode: 1, errorMessage: 'Ordem encerrada' }),
    'erp_error',
    'HTTP 200',
    '"Ordem encerrada"',
  ],
  [
    'JSON that is cut',
    ITEMS,
    (answer) => ({ ...answer, text: '{"items":[{"Z1_OP"' }),
    'not_json',
    'HTTP 200',
    '"{\\"items\\":[{\\"Z1_OP\\""',
  ],
  [
    'two documents in one answer',
    ITEMS,
    (answer) => ({ ...answer, text: `{"a":1}${answer.text}` }),
    'several_documents',
    'HTTP 200',
    '"{\\"a\\":1}',
  ],
  [
    'a list under an unknown name',
    ITEMS,
    document(({ items }) => ({ resultado: (items as Json[]).length })),
    'no_list',
    'RESULTADO',
    '{"resultado":24}',
  ],
  [
    'the same page without end',
    ITEMS,
    document((body) => ({ ...body, hasNext: true })),
    'repeated_page',
    'hasNext',
    'true',
  ],
  ['items of no order', ITEMS, reply(200, { items: [], hasNext: false }), 'order_not_found', 'termo', `"${ORDER}"`],
  ['rows without barcode', ITEMS, without('Z1_CODBAR'), 'absent', 'Z1_CODBAR', 'ausente'],
  [
    'a barcode of 20 characters',
    ITEMS,
    row((one) => ({ ...one, Z1_CODBAR: String(one.Z1_CODBAR).slice(2) })),
    'barcode_length',
    'Z1_CODBAR',
    '"01621401001000010007"',
  ],
  [
    'one barcode in two rows',
    ITEMS,
    row((one, at) => ({ ...one, Z1_CODBAR: at === 1 ? UNTOUCHED : one.Z1_CODBAR })),
    'duplicate',
    'Z1_CODBAR',
    `"${UNTOUCHED}"`,
  ],
  ['rows without quantity', ITEMS, without('Z1_QUANT'), 'absent', 'Z1_QUANT', 'ausente'],
  ['a quantity of almost that name', ITEMS, rename('Z1_QUANT', 'Z1_QUANTI'), 'renamed', 'Z1_QUANT', '"Z1_QUANTI"'],
  ['a quantity that is null', ITEMS, value('Z1_QUANT', null), 'null_quantity', 'Z1_QUANT', 'null'],
  ['a quantity in words', ITEMS, value('Z1_QUANT', 'cento e vinte'), 'no_number', 'Z1_QUANT', '"cento e vinte"'],
  ['a quantity with its unit', ITEMS, value('Z1_QTREGCO', '12 pcs'), 'no_number', 'Z1_QTREGCO', '"12 pcs"'],
  ['a quantity below zero', ITEMS, value('Z1_QTREGL1', -4), 'negative', 'Z1_QTREGL1', '-4'],
  ['a percentage that is an object', ITEMS, value('Z1_PCORTE', { valor: 1 }), 'no_number', 'Z1_PCORTE', '{"valor":1}'],
  [
    'quantities that all have a point and three digits',
    ITEMS,
    value('Z1_QUANT', '1.000'),
    'thousands_or_decimals',
    'Z1_QUANT',
    '"1.000", lido como 1',
  ],
  [
    'the same beside some without a point',
    ITEMS,
    row((one, at) => ({ ...one, Z1_QUANT: at === 3 ? '1.200' : '950' })),
    'thousands_or_decimals',
    'Z1_QUANT',
    '"1.200", lido como 1,2',
  ],
  [
    'a quantity of pieces that is a day',
    ITEMS,
    value('Z1_QUANT', 20261125),
    'huge',
    'Z1_QUANT',
    '20261125, lido como 20.261.125',
  ],
  [
    'a quantity with an exponent',
    ITEMS,
    value('Z1_QUANT', 1e21),
    'huge',
    'Z1_QUANT',
    '1e+21, lido como 1.000.000.000.000.000.000.000',
  ],
  [
    'a quantity that lost its rounding',
    ITEMS,
    value('Z1_QUANT', 119.99999999),
    'many_decimals',
    'Z1_QUANT',
    '119.99999999, lido como 119,99999999',
  ],
  [
    'a quantity that a program has added up',
    ITEMS,
    value('Z1_QUANT', 0.1 + 0.2),
    'many_decimals',
    'Z1_QUANT',
    '0.30000000000000004, lido como 0,30000000000000004',
  ],
  ['a million and one', ITEMS, value('Z1_QUANT', 1_000_001), 'huge', 'Z1_QUANT', '1000001, lido como 1.000.001'],
  [
    'what is registered with a comma and three digits',
    ITEMS,
    value('Z1_QTREGCO', '12,000'),
    'thousands_or_decimals',
    'Z1_QTREGCO',
    '"12,000", lido como 12',
  ],
  ['more registered than ordered', ITEMS, value('Z1_QTREGCO', 99999), 'over_ordered', 'Z1_QTREGCO', '99999'],
  ['a percentage above a hundred', ITEMS, value('Z1_PCORTE', 250), 'over_hundred', 'Z1_PCORTE', '250'],
  [
    'a percentage of a junction above a hundred',
    JUNCTIONS,
    value('Z8_PJUNCAO', 250),
    'over_hundred',
    'Z8_PJUNCAO',
    '250',
  ],
  [
    'an answer that calls itself compressed and is not',
    ITEMS,
    (answer) => ({ ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' } }),
    'not_compressed',
    'Content-Encoding',
    '"gzip"',
  ],
  [
    'a compressed answer that is cut short',
    ITEMS,
    packed((text) => gzipSync(text).subarray(0, 100), 'gzip'),
    'unreadable',
    'Content-Encoding',
    '"gzip"',
  ],
  [
    'a login that is compressed in an unknown way',
    TOKEN,
    packed(() => Buffer.from('1f9d907b3400', 'hex'), 'compress'),
    'unreadable',
    'Content-Encoding',
    '"compress"',
  ],
  ['a length with its unit', ITEMS, value('Z1_COMPR', '1250 mm'), 'no_number', 'Z1_COMPR', '"1250 mm"'],
  ['a force with its unit', ITEMS, value('Z1_RMINL1', '70N'), 'no_number', 'Z1_RMINL1', '"70N"'],
  ['a height that is true', ITEMS, value('Z1_DECAL2', true), 'no_number', 'Z1_DECAL2', 'true'],
  ['rows without terminal', ITEMS, without('Z1_TERML1'), 'absent', 'Z1_TERML1', 'ausente'],
  ['rows without wire', ITEMS, without('Z1_CODCABO'), 'absent', 'Z1_CODCABO', 'ausente'],
  ['rows of another branch', ITEMS, value('Z1_FILIAL', '020101'), 'other_branch', 'Z1_FILIAL', '"020101"'],
  ['rows of another order', ITEMS, value('Z1_OP', '01621401002'), 'other_order', 'Z1_OP', '"01621401002"'],
  ['an order number that lost its zeros', ITEMS, value('Z1_OP', 1621401001), 'number_for_code', 'Z1_OP', '1621401001'],
  ['a CNPJ as a number', ITEMS, value('Z1_CNPJCLI', 99000001000101), 'number_for_code', 'Z1_CNPJCLI', '99000001000101'],
  ['a receipt in words', ITEMS, value('Z1_CONFERE', 'SIM'), 'not_yes_no', 'Z1_CONFERE', '"SIM"'],
  ['a text that is a list', ITEMS, value('Z1_COR', ['am', 'vd']), 'no_text', 'Z1_COR', '["am","vd"]'],
  [
    'accents that were lost',
    ITEMS,
    value('Z1_DESCPRO', 'CHICOTE ILUMINA\uFFFD\uFFFDO'),
    'broken_text',
    'Z1_DESCPRO',
    '"CHICOTE ILUMINA\uFFFD\uFFFDO"',
  ],
  [
    'no item by its barcode',
    ITEMS,
    (answer, { url = '' }) => (url.includes('CODBAR') ? { ...answer, text: '{"items":[]}' } : answer),
    'not_by_barcode',
    'Z1_CODBAR',
    `"${UNTOUCHED}"`,
  ],
  ['machines under another key', MACHINES, rename('ID', 'CODIGO'), 'absent', 'ID', 'ausente'],
  ['machines without maker', MACHINES, without('FABRICANTE'), 'absent', 'FABRICANTE', 'ausente'],
  ['no machines', MACHINES, reply(200, []), 'no_rows', 'ID', 'ausente'],
  ['junctions without position', JUNCTIONS, value('Z8_POSICAO', '   '), 'blank', 'Z8_POSICAO', '"   "'],
  ['a percentage with its sign', JUNCTIONS, value('Z8_PJUNCAO', '25%'), 'no_number', 'Z8_PJUNCAO', '"25%"'],
  ['pieces of a junction that are null', JUNCTIONS, value('Z8_QTDPECA', null), 'null_quantity', 'Z8_QTDPECA', 'null'],
  ['junctions without material group', JUNCTIONS, without('Z8_GRUPOMP'), 'absent', 'Z8_GRUPOMP', 'ausente'],
  ['a junction without materials', DETAILS, part('registros', () => ({})), 'absent', 'Z9_GRUPOMP', 'ausente'],
  [
    'a junction without registros',
    DETAILS,
    document(({ data }) => ({ data: { ...(data as Json), registros: null } })),
    'no_materials',
    'registros',
    'null',
  ],
  [
    'circuits that end elsewhere',
    DETAILS,
    part('circuitos', (one) => ({ ...one, Z1_DE: 'X1.1', Z1_PARA: 'X2.2' })),
    'not_at_position',
    'Z1_DE',
    '"X1.1"',
  ],
  [
    'circuits without wire',
    DETAILS,
    part('circuitos', ({ Z1_CODCABO: _, ...others }) => others),
    'absent',
    'Z1_CODCABO',
    'ausente',
  ],
  [
    'a pull force with its unit',
    DETAILS,
    part('teste', (one) => ({ ...one, ZTB_FORCA: '70 N' })),
    'no_number',
    'ZTB_FORCA',
    '"70 N"',
  ],
  ['a look-up without address', LOOKUP, reply(404, PAGE), 'lookup_unclear', 'HTTP 404', JSON.stringify(PAGE)],
  ['rows without minimum force', ITEMS, without('Z1_RMINL1'), 'no_limit', 'Z1_RMINL1', 'ausente'],
  ['a text that is null', ITEMS, value('Z1_GRAVA', null), 'null_text', 'Z1_GRAVA', 'null'],
  [
    'ten rows and no word of more',
    ITEMS,
    document(({ items }) => (items as Json[]).slice(0, 10)),
    'maybe_cut',
    'hasNext',
    'ausente',
  ],
  ['a look-up that says nothing', LOOKUP, reply(200, {}), 'lookup_unclear', 'HTTP 200', '"{}"'],
  [
    'a look-up with a status of its own',
    LOOKUP,
    (answer, { url = '' }) => reply(200, { ID_INTEGRACAO: url.split('/').at(-1), STATUS: '9' })(answer, {} as never),
    'lookup_unclear',
    'HTTP 200',
    '"{\\"ID_INTEGRACAO\\"',
  ],
  [
    'a look-up that knows every id',
    LOOKUP,
    (answer, { url = '' }) =>
      reply(200, { ID_INTEGRACAO: url.split('/').at(-1), STATUS: '1', MENSAGEM: 'ok' })(answer, {} as never),
    'lookup_foreign',
    'ID_INTEGRACAO',
    '{"status":"done"',
  ],
  [
    'a clock that is an hour late',
    STATUS,
    (answer) => ({ ...answer, headers: { date: 'Sat, 21 Nov 2026 09:00:00 GMT' } }),
    'clock',
    'Date',
    '"Sat, 21 Nov 2026 09:00:00 GMT"',
  ],
]
