import type { Trace, TraceLine } from '../../src/contract/traces.ts'
import { expect, ORDER } from '../support/journeys/journey.ts'
import { box, openTraces, result, TRACE, traceByHand } from '../support/journeys/tracing.ts'
import type { Scene } from './scene.ts'

const line: TraceLine = {
  id: '00000000-0000-4000-8000-000000000001',
  registradoEm: '2026-11-21T12:40:00.000Z',
  etapa: 'l1',
  situacao: 'entregue',
  filial: '010101',
  ordem: ORDER,
  item: '000010',
  barras: '0101621401001000010007',
  posicao: '',
  pecas: 1200,
  lote: 'B23-004517/2',
  codigo: 'T1326030',
  selo: 'S0963244',
  seladora: 'Seladora 01',
  miniaplicador: 'MA-0001',
  maquina: 'PR0001 - Schäfer',
  operador: 'Maria Aparecida de Souza Albuquerque',
  forca: 70,
  alturaMm: 1.1,
  forcaMedida: true,
  alturaMedida: false,
}
const nothingUsed = { selo: '', seladora: '', miniaplicador: '', forca: null, alturaMm: null }
const nothingMeasured = { forcaMedida: null, alturaMedida: null }

const several: Trace = {
  tipo: 'lote',
  encontrados: [
    { tipo: 'lote', apontamentos: 12_345 },
    { tipo: 'ordem', apontamentos: 3 },
    { tipo: 'miniaplicador', apontamentos: 1 },
  ],
  contagens: { apontamentos: 12_345, itens: 321, ordens: 87, pecas: 1_234_560 },
  linhas: [
    line,
    { ...line, id: '2', etapa: 'cabo', lote: 'L261118004', ...nothingUsed, ...nothingMeasured, situacao: 'aguardando' },
    {
      ...line,
      ...{ id: '3', ordem: '01622001001', item: '000020', barras: '010162140100100002000S', etapa: 'l2' },
      ...{ lote: 'LOTE-DO-FORNECEDOR-COM-SESSENTA-CARACTERES-2026-11-21-000123', situacao: 'pendente' },
      ...{ maquina: 'PRENSA PNEUMÁTICA DA LINHA 4 - Schäfer Megomat', miniaplicador: 'MA-0001 RESERVA DA LINHA 4' },
      ...{ forcaMedida: false, pecas: 1_000_000 },
    },
    {
      ...line,
      ...{ ...nothingUsed, ...nothingMeasured, id: '4', item: '', barras: '', posicao: 'J 02/A', etapa: 'juncao' },
      forca: 120,
    },
    {
      ...line,
      ...{ ...nothingUsed, ...nothingMeasured, id: '5', etapa: 'recebimento', maquina: '', lote: '', codigo: '' },
    },
  ],
  proxima: '1.00000000-0000-4000-8000-000000000001',
}

const unavailable = {
  status: 503,
  json: { message: 'Banco de dados indisponível. Tente novamente em instantes.', code: 'store_unavailable' },
}

/** In a plant where recordings have been delivered, wait and are pending. */
export const traceScenes: readonly Scene[] = [
  [
    'rastreabilidade',
    async (page) => {
      await openTraces(page)
      await expect(box(page)).toBeFocused()
    },
  ],
  [
    'rastreabilidade-vazia',
    async (page) => {
      await traceByHand(page, 'L-QUE-NAO-EXISTE')
      await expect(page.getByText('Nada foi feito com')).toBeVisible()
    },
  ],
  [
    'rastreabilidade-ordem',
    async (page) => {
      await traceByHand(page, ORDER)
      await expect(result(page).getByText(/^Mostrando todos/)).toBeVisible()
    },
  ],
  [
    'rastreabilidade-varios',
    async (page) => {
      await page.route(TRACE, (route) => route.fulfill({ json: several }))
      await traceByHand(page, 'B23-004517/2')
      await expect(page.getByRole('button', { name: 'Mostrar mais' })).toBeVisible()
      await page.unroute(TRACE)
    },
  ],
  [
    'rastreabilidade-falha',
    async (page) => {
      await page.route(TRACE, (route) => route.fulfill(unavailable))
      await traceByHand(page, 'MA-0001')
      await expect(page.getByRole('alert')).toContainText('Banco de dados indisponível')
      await page.unroute(TRACE)
    },
  ],
]
