import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { type Endpoint, UPLOAD_HEADER } from '../../../src/contract/endpoint.ts'
import { makePdf } from '../document-files.ts'
import { callOf, cutOf, joinOf, measurementOf, ORDER, PASSWORD, scrapOf, UNTOUCHED } from '../harness.ts'
import { containmentRequests, goodOutsideId } from './containment-requests.ts'

export type Sent = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

/** Another one each time: the same bytes are taken once. */
const goodFile = () => makePdf([{ lines: [randomUUID()], drawing: '' }])

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Each can be settled once; the calls about them succeed where recordings of these ids were parked before. */
const pendingId = (n: number) => `00000000-0000-4000-9000-00000000000${n}`
export const pendingIds = [pendingId(1), pendingId(2), pendingId(3)]
/** Of a junction. */
export const pendingJunctionId = pendingId(4)

/** Calls of these ids were opened before. */
const goodCallId = (n: number) => `00000000-0000-4000-b000-00000000000${n}`
export const goodCallIds = [goodCallId(1), goodCallId(2)]

/** An act of this id was measured before. */
export const goodActId = '00000000-0000-4000-8000-000000000001'

const unit = { miniaplicator: 'MA-0001' }
const tolerance = { nominal: 1100, menos: 50, mais: 50 }
const instrument = {
  codigo: 'MIC-ALT-01',
  descricao: 'Micrômetro',
  resolucao: 1,
  calibradoAte: '2027-11-01',
  ativo: true,
}

/** Scrap of this id was saved before. */
export const goodScrapId = '00000000-0000-4000-8000-000000000002'

/** Samples of this series were stored before; the first of them has this id. */
export const goodMeasurementId = '00000000-0000-4000-a000-000000000009'
export const series = {
  filial: '010101',
  miniaplicador: 'MA-0001',
  terminal: 'T1326030',
  caracteristica: 'altura',
} as const

const occurrences = {
  ...{ filial: '010101', inicio: '2026-11-01', fim: '2026-11-21' },
  ...{ situacao: 'aberta', liberadoPor: 'Ana Lima' },
}

const scrapPeriod = {
  ...{ inicio: '2026-11-01', fim: '2026-11-21', por: 'motivo', filial: '010101' },
  ...{ etapa: 'crimpagem', processo: 'sim' },
}

const sessionId = '00000000-0000-4000-a000-000000000001'

/** One good request of every call; what is wrong is made from it. */
export const good: Record<string, Sent> = {
  'POST /api/auth/login': { body: { username: 'operador', password: PASSWORD } },
  'POST /api/auth/validate': {},
  'POST /api/auth/refresh': {},
  'POST /api/auth/logout': {},
  'POST /api/auth/saida': { body: { segredo: 'x.x' } },
  'POST /api/auth/password': { body: { currentPassword: PASSWORD, password: 'três porcas na bancada' } },
  'POST /api/auth/confirm': { body: { password: PASSWORD } },
  'GET /api/primeiro-acesso': {},
  'POST /api/primeiro-acesso': {
    body: { codigo: 'ABCD-EFGH-JKLM', username: 'ana', fullName: 'Ana Lima', password: 'três porcas na bancada' },
  },
  'GET /api/status': {},
  'GET /api/configuracao': {},
  'GET /api/sistema': {},
  'GET /api/sistema/epoca': {},
  'POST /api/sistema/epoca': { body: { decisao: 'nada-falta', motivo: 'Conferido' } },
  'GET /api/sistema/suporte': {},
  'POST /api/sistema/avisos/:canal/teste': { params: { canal: 'webhook' } },
  'POST /api/sistema/diretorio/teste': { body: { usuario: 'maria' } },
  'POST /api/sistema/erp/conferencia': { body: { ordem: ORDER } },
  'GET /api/instalacao': {},
  'PUT /api/instalacao': { body: { values: { SITE_NAME: 'Chicotes Sul' }, isSameErp: false } },
  'PUT /api/configuracao': {
    body: {
      plants: [{ code: '010101', label: 'Matriz' }],
      limitWarningPercent: 75,
      limitRoles: ['lider'],
      capabilityNames: 'aiag-vda-2026',
      planMode: 'avisar',
      planApproval: 'dispensada',
    },
  },
  'GET /api/sessoes': {},
  'DELETE /api/sessoes/:id': { params: { id: sessionId } },
  'GET /api/usuarios': {},
  'POST /api/usuarios': {
    body: { username: 'joao.dias', fullName: 'João Dias', role: 'operador', password: 'três porcas na bancada' },
  },
  'POST /api/importacoes/usuarios': {
    body: { content: 'nome;usuario;papel\nRui Alves;rui.alves;operador', preview: true },
  },
  'PUT /api/usuarios/:id': { params: { id: '1' }, body: { fullName: 'Maria de Souza', role: 'admin', active: true } },
  // not the one who asks
  'PUT /api/usuarios/:id/senha': { params: { id: '2' }, body: { password: 'três porcas na bancada' } },
  'POST /api/auth/cracha': { body: { codigo: 'PIC-7Q2M4X9KAAAAAAA', pin: '7302', deviceName: 'Tablet 3' } },
  'PUT /api/auth/pin': { body: { currentPassword: PASSWORD, pin: '7302' } },
  'POST /api/usuarios/:id/cracha': { params: { id: '1' } },
  'DELETE /api/usuarios/:id/cracha': { params: { id: '1' } },
  'POST /api/usuarios/:id/cracha/liberacao': { params: { id: '1' } },
  'PUT /api/usuarios/:id/pin': { params: { id: '1' }, body: { pin: '7302' } },
  'GET /api/estacao': {},
  'POST /api/estacao': { body: { name: 'Bancada de junções' } },
  'GET /api/estacoes': {},
  'DELETE /api/estacoes/:id': { params: { id: '1' } },
  'GET /api/auditoria': {
    query: {
      inicio: '2026-11-21T00:00:00.000Z',
      fim: '2026-11-22T00:00:00.000Z',
      tipo: 'usuarios',
      texto: 'maria',
    },
  },
  'GET /api/auditoria/csv': { query: { tipo: 'exportacoes' } },
  'POST /api/auditoria/exportacoes': { body: { tipo: 'historico_alteracoes' } },
  'GET /api/apontamentos/copias': { query: { filial: '010101', termo: ORDER } },
  'GET /api/apontamentos/itens': { query: { filial: '010101', termo: ORDER, modo: 'APONTAMENTO' } },
  'GET /api/apontamentos/itens/:codigoBarras': { params: { codigoBarras: UNTOUCHED }, query: { filial: '010101' } },
  'GET /api/maquinas': { query: { filial: '010101', tipo: 'cabo' } },
  'GET /api/equipamentos': { query: { filial: '010101' } },
  'GET /api/miniaplicadores': {},
  'GET /api/miniaplicadores/por-terminal/:terminal': { params: { terminal: 'T1326030' } },
  'GET /api/miniaplicadores/:id': { params: { id: '1' } },
  'POST /api/miniaplicadores': { body: { terminal: 'T1326030', miniaplicator: 'MA-9001' } },
  'PUT /api/miniaplicadores/:id': { params: { id: '1' }, body: { terminal: 'T1326030', miniaplicator: 'MA-0001' } },
  'DELETE /api/miniaplicadores/:id': { params: { id: '2' } },
  'GET /api/sealingstations': {},
  'GET /api/sealingstations/:id': { params: { id: '1' } },
  'POST /api/sealingstations': { body: { seal: 'S0963244', sealingStationName: 'Seladora 90' } },
  'PUT /api/sealingstations/:id': { params: { id: '1' }, body: { seal: 'S0963244', sealingStationName: 'Seladora 1' } },
  'DELETE /api/sealingstations/:id': { params: { id: '2' } },
  'GET /api/crimpagens': { query: { filter: 'ma-' } },
  'GET /api/crimpagens/history': {},
  'GET /api/crimpagens/export-csv': { query: { filter: 'ma-' } },
  'GET /api/crimpagens/maintenance-records/export-csv': {},
  'GET /api/crimpagens/maintenance-pending': {},
  'GET /api/crimpagens/maintenance-pending/count': {},
  'GET /api/crimpagens/:miniaplicator': { params: unit },
  'PUT /api/crimpagens/:miniaplicator/limit': { params: unit, body: { ...unit, limitOfCrimps: 50_000 } },
  'PUT /api/crimpagens/:miniaplicator/schedule': {
    params: unit,
    body: { ...unit, serviceOrder: 4711, maintenanceDate: '2026-12-01', comments: 'Trocar a faca\ne a bigorna' },
  },
  'POST /api/crimpagens/:miniaplicator/reset': { params: unit, body: { ...unit, newLimitOfCrimps: 100_000 } },
  'GET /api/chamados': { query: { filial: '010101', inicio: '2026-11-01', fim: '2026-11-21' } },
  'GET /api/chamados/csv': { query: { filial: '010101', inicio: '2026-11-01', fim: '2026-11-21' } },
  'POST /api/chamados': { body: callOf() },
  'POST /api/chamados/:id/atendimento': { params: { id: goodCallId(1) } },
  'POST /api/chamados/:id/solucao': {
    params: { id: goodCallId(1) },
    body: { causa: 'outra', causaTexto: 'Mola cansada', feito: 'Mola trocada\ne altura conferida' },
  },
  'POST /api/chamados/:id/cancelamento': { params: { id: goodCallId(2) }, body: { motivo: 'Era outra máquina' } },
  'GET /api/ferramentas/:miniaplicador/pecas': { params: { miniaplicador: 'MA-0001' } },
  'POST /api/ferramentas/:miniaplicador/pecas': {
    params: { miniaplicador: 'MA-0001' },
    body: { parts: [{ kind: 'bigorna', code: '1-456', limitOfCrimps: 50_000, usedBefore: 0 }] },
  },
  'POST /api/pecas/:id/troca': {
    params: { id: '1' },
    body: { code: '1-457', limitOfCrimps: 50_000, usedBefore: 0, reason: 'gasta' },
  },
  'POST /api/pecas/:id/retirada': { params: { id: '2' }, body: { reason: 'quebrada' } },
  'GET /api/ferramentas/plano': { query: { filter: 'ma-' } },
  'GET /api/tarefas-de-manutencao': {},
  'POST /api/tarefas-de-manutencao': {
    body: { miniaplicator: 'MA-0001', name: 'Limpeza completa', everyCrimps: 25_000, everyDays: 7, active: true },
  },
  'PUT /api/tarefas-de-manutencao/:id': {
    params: { id: '1' },
    body: { name: 'Limpeza completa', everyDays: 7, active: false },
  },
  'POST /api/tarefas-de-manutencao/:id/execucoes': {
    params: { id: '1' },
    body: { miniaplicator: 'MA-0001', day: '2026-11-21', note: 'Guias sem folga' },
  },
  'GET /api/eventos': {},
  'GET /api/logs': {
    query: {
      minLevel: 'Warning',
      startDate: '2026-11-21T00:00:00.000Z',
      endDate: '2026-11-22T00:00:00.000Z',
      maxCount: '500',
      texto: 'ERP',
    },
  },
  'DELETE /api/logs': {},
  'GET /api/logs/test': {},
  'GET /api/sealingstations/por-selo/:seal': { params: { seal: 'S0963244' } },
  'POST /api/apontamentos/corte-crimpagem': { body: cutOf(1) },
  'GET /api/juncao/copias': { query: { filial: '010101', numeroOp: ORDER } },
  'GET /api/juncao/obter-juncoes': { query: { filial: '010101', numeroOp: ORDER } },
  'GET /api/juncao/obter-detalhes': { query: { filial: '010101', numeroOp: ORDER, posicao: 'J 02/A' } },
  'POST /api/juncao/registrar-apontamento': { body: joinOf(1) },
  'POST /api/conferencia-corte/recebimentos': { body: { filial: '010101', codigoBarras: UNTOUCHED } },
  'GET /api/pendencias': {},
  'POST /api/pendencias/:id/correcao': { params: { id: pendingId(1) }, body: cutOf(1) },
  'POST /api/pendencias/:id/correcao-juncao': { params: { id: pendingJunctionId }, body: joinOf(1) },
  'POST /api/pendencias/:id/entregue': { params: { id: pendingId(2) }, body: { motivo: 'Conferido no ERP' } },
  'POST /api/pendencias/:id/descarte': { params: { id: pendingId(3) }, body: { motivo: 'Apontado em dobro' } },
  'POST /api/pendencias/reenvio': { body: { ids: [pendingId(5)] } },
  'GET /api/retidos': {},
  'POST /api/retidos/decisao': { body: { ids: [pendingId(6)], decisao: 'aceitar', motivo: 'Conferido com a pessoa' } },
  'GET /api/relatorios/meu-turno': {},
  'GET /api/relatorios/producao': {
    query: { inicio: '2026-01-01', fim: '2026-11-21', por: 'miniaplicador', filial: '010101' },
  },
  'GET /api/graficos/miniaplicadores': {},
  'GET /api/graficos/terminais': {},
  'GET /api/graficos/miniaplicadores/:nome': {
    params: { nome: 'MA-0001' },
    query: { inicio: '2026-01-01', fim: '2026-11-21' },
  },
  'GET /api/graficos/terminais/:nome': {
    params: { nome: 'T1326030' },
    query: { inicio: '2026-01-01', fim: '2026-11-21' },
  },
  'GET /api/planos-de-controle': { query: { filial: '010101', terminal: 'T1326030', vigente: 'sim' } },
  'GET /api/planos-de-controle/csv': { query: { filial: '010101', terminal: 'T1326030' } },
  'POST /api/planos-de-controle': {
    body: {
      ...{ terminal: 'T1326030', bitola: 500, miniaplicador: 'MA-0001', maquina: 'PR0002', filial: '010101' },
      ...{ altura: tolerance, forcaMin: 75_000, largura: tolerance, alturaIsolante: tolerance },
      ...{ leiturasAltura: 3, leiturasForca: 3, aCadaPecas: 500, ultimaPeca: true },
      ...{ instrumento: 'MIC-ALT', reacao: 'Parar e chamar a qualidade', valeAPartirDe: '2027-01-04' },
      digitadoVale: false,
    },
  },
  'POST /api/planos-de-controle/:id/aprovacao': { params: { id: '1' } },
  'POST /api/planos-de-controle/:id/encerramento': { params: { id: '1' } },
  'POST /api/planos-de-controle/importacao': { query: { simular: 'sim' } },
  'GET /api/planos-de-controle/ocorrencias': {
    query: { ...occurrences, achado: 'bloqueio-sem-rede', proprio: 'sim', pagina: '1' },
  },
  'GET /api/planos-de-controle/ocorrencias/csv': {
    query: { ...occurrences, achado: 'bloqueio-sem-rede', proprio: 'sim' },
  },
  'POST /api/planos-de-controle/ocorrencias/:id/tratamentos': {
    params: { id: '1' },
    body: { texto: 'Peças separadas\ne conferidas' },
  },
  'GET /api/planos-de-controle/medicoes-fora': {
    query: { ...occurrences, tipo: 'altura', tiradas: 'sim', pagina: '1' },
  },
  'GET /api/planos-de-controle/medicoes-fora/csv': { query: { ...occurrences, tipo: 'altura', tiradas: 'sim' } },
  'POST /api/planos-de-controle/medicoes-fora/:id/tratamentos': {
    params: { id: goodOutsideId },
    body: { texto: 'Peças separadas\ne conferidas' },
  },
  'POST /api/liberacoes': {
    body: {
      ...{ usuario: 'operador', senha: PASSWORD, filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER },
      ...{ parte: 'l1', motivo: 'Desvio 12/26', atos: [goodActId], pecas: 12 },
      digitados: [{ caracteristica: 'altura', valor: 1202 }],
    },
  },
  'GET /api/instrumentos': {},
  'POST /api/instrumentos': { body: { ...instrument, codigo: 'MIC-ALT-02' } },
  'PUT /api/instrumentos/:id': { params: { id: '1' }, body: instrument },
  'GET /api/cep/series': { query: { filial: '010101', texto: 'ma-' } },
  'GET /api/cep/serie': { query: { ...series, bitola: '500', inicio: '2026-11-01', fim: '2026-11-21' } },
  'GET /api/cep/csv': { query: { ...series, bitola: '500', inicio: '2026-11-01', fim: '2026-11-21' } },
  'POST /api/cep/limites': {
    body: { serie: { ...series, bitola: 500 }, inicio: '2026-11-01', fim: '2026-11-21', motivo: 'Crimpador novo' },
  },
  'POST /api/medicoes/:id/causa': {
    params: { id: goodMeasurementId },
    body: { caracteristica: 'altura', causa: 'ferramenta-gasta', nota: 'Crimpador trocado' },
  },
  'GET /api/medicoes/do-item/:codigoBarras': { params: { codigoBarras: UNTOUCHED }, query: { filial: '010101' } },
  'GET /api/medicoes/da-juncao': { query: { filial: '010101', numeroOp: ORDER, posicao: 'J 02/A' } },
  'GET /api/medicoes': { query: { filial: '010101', codigoBarras: UNTOUCHED } },
  'POST /api/medicoes': { body: measurementOf() },
  'POST /api/medicoes/:id/devolucao': { params: { id: goodActId }, body: { motivo: 'O bico era o certo' } },
  'POST /api/medicoes/:id/invalidacao': { params: { id: goodActId }, body: { motivo: 'Lida com o bico errado' } },
  ...containmentRequests,
  'GET /api/refugos': { query: { filial: '010101', codigoBarras: UNTOUCHED } },
  'POST /api/refugos': { body: scrapOf() },
  'POST /api/refugos/:id/estorno': { params: { id: goodScrapId }, body: { motivo: 'Contado duas vezes' } },
  'GET /api/motivos-de-refugo': {},
  'POST /api/motivos-de-refugo': { body: { texto: 'Rebarba', etapa: 'crimpagem', tipo: 'defeito' } },
  'PUT /api/motivos-de-refugo/:id': {
    params: { id: '1' },
    body: { texto: 'Comprimento fora', posicao: 3, ativo: true },
  },
  'GET /api/motivos-de-refugo/folha': {},
  'GET /api/relatorios/refugo': { query: { ...scrapPeriod } },
  'GET /api/relatorios/refugo/csv': { query: { ...scrapPeriod } },
  'GET /api/rastreabilidade': { query: { termo: ORDER, tipo: 'ordem', filtro: 'nao-medido' } },
  'GET /api/rastreabilidade/folha': { query: { termo: ORDER, tipo: 'ordem', filtro: 'nao-medido' } },
  'GET /api/rastreabilidade/csv': { query: { termo: ORDER, tipo: 'ordem', filtro: 'nao-medido' } },
  'GET /api/historia-da-medicao': { query: { filial: '010101', codigoBarras: UNTOUCHED, parte: 'l1' } },
  'GET /api/historia-da-medicao/folha': { query: { filial: '010101', codigoBarras: UNTOUCHED, parte: 'l1' } },
  'GET /api/historia-da-medicao/csv': { query: { filial: '010101', codigoBarras: UNTOUCHED, parte: 'l1' } },
  'GET /api/documentos': { query: { texto: 'desenho', vinculo: 'produto' } },
  'GET /api/trabalho/documentos': {
    query: { produto: 'CHT000412-01', revisao: 'C', terminal1: 'T1326030', terminal2: 'T0925590' },
  },
  'GET /api/documentos/:id': { params: { id: '1' } },
  'GET /api/documentos/revisoes/:id/arquivo': { params: { id: '1' } },
  'POST /api/documentos': {
    query: {
      nome: 'desenho.pdf',
      titulo: 'Desenho',
      revisao: 'A',
      vinculo: 'produto',
      codigo: 'CHT000412-01',
      revisaoProduto: 'C',
    },
  },
  'POST /api/documentos/:id/revisoes': { params: { id: '1' }, query: { nome: 'desenho.pdf', revisao: 'B' } },
  'PUT /api/documentos/:id': {
    params: { id: '1' },
    body: { titulo: 'Desenho', vinculos: [{ tipo: 'terminal', codigo: 'T1326030', revisao: '' }] },
  },
  'PUT /api/documentos/revisoes/:id': { params: { id: '1' }, body: { revisao: 'A1' } },
  'POST /api/documentos/revisoes/:id/retirada': { params: { id: '1' }, body: { motivo: 'Medida errada' } },
  'DELETE /api/documentos/revisoes/:id/retirada': { params: { id: '1' } },
}

/** What the good requests that name a row by its id or a unit by its name are about. */
export const goodRows = {
  /** It waits for somebody else than its maker. */
  plan: {
    plan: { terminal: 'T9', bitola: 500, forcaMin: 75_000, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
    ...{ version: 1, isWaiting: true },
  },
  sessionId,
  pairs: ['MA-0001', 'MA-0002'].map((miniaplicator) => ({ terminal: 'T1326030', miniaplicator })),
  stations: ['Seladora 1', 'Seladora 2'].map((sealingStationName) => ({ seal: 'S0963244', sealingStationName })),
}

/** It answers for as long as somebody listens. */
export const isStream = ({ file }: Endpoint) => file === 'text/event-stream'

export const goodOf = (endpoint: Endpoint): Sent => {
  const sent = good[nameOf(endpoint)]
  if (!sent) throw new Error(`no good request of ${nameOf(endpoint)}`)
  return sent
}

/** What an address can carry. Not `String` of an object: that may have a `toString` of its own, which is no function. */
export const inAddress = (sent: unknown): string => (typeof sent === 'object' ? JSON.stringify(sent) : String(sent))

export const requestOf = (endpoint: Endpoint, { params = {}, query = {}, body }: Sent): InjectOptions => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(inAddress(params[name] ?? 'x').toWellFormed()),
  )
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => [name, inAddress(one)]),
    ),
  )
  return {
    method: endpoint.method,
    url: search.size > 0 ? `${path}?${search}` : path,
    headers: {
      ...(endpoint.idempotent ? { 'idempotency-key': randomUUID() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(endpoint.upload ? { 'content-type': 'application/octet-stream', [UPLOAD_HEADER]: '1' } : {}),
    },
    ...(endpoint.upload ? { payload: goodFile() } : {}),
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}
