import { describe, expect, test } from 'vitest'
import type { ControlPlan } from '../../src/contract/control-plans.ts'
import type { PlanImport } from '../../src/contract/plan-changes.ts'
import { csvTextOf } from '../../src/domain/text/csv-tables.ts'
import { caseOf } from '../support/cases.ts'
import { setUp as openDirectory, THEIRS } from '../support/directory/panel.ts'
import { personOf } from '../support/directory/responder.ts'
import { addUser, openTestPanel } from '../support/harness.ts'
import { openDocumentPanel, uploadHeaders } from '../support/uploading.ts'

async function setUp() {
  const panel = await openTestPanel()
  await addUser(panel.context, { username: 'ana', fullName: 'Ana Lima', role: 'admin' })
  const { token } = await panel.login('ana')
  const importPlans = async (file: Buffer, isTrial = false): Promise<PlanImport> => {
    const url = `/api/planos-de-controle/importacao${isTrial ? '?simular=sim' : ''}`
    return (await panel.ask(token, { method: 'POST', url, headers: uploadHeaders, payload: file })).json()
  }
  const listed = async () => {
    const plans: ControlPlan[] = (await panel.ask(token, { url: '/api/planos-de-controle' })).json()
    return plans.map(({ id: _, version: __, validoDe: ___, validoAte: ____, ...plan }) => plan)
  }
  // the page reads the file, the server its text
  const importUsers = async (file: Buffer) => {
    const payload = { content: csvTextOf(file, TextDecoder), preview: true }
    return (await panel.ask(token, { method: 'POST', url: '/api/importacoes/usuarios', payload })).json()
  }
  return { importPlans, listed, importUsers }
}

const changed = (cell: string) =>
  `O Excel trocou este nome? Aqui está '${cell}'. Formate a coluna como texto e escreva o nome de novo.`

describe('a file of plans', () => {
  const plan = { bitola: 500, altura: { nominal: 1100, menos: 50, mais: 50 }, forcaMin: 70_000 }
  const reacao = 'Pare a prensa. Chame a qualidade.'

  test.each([
    ['09-sep-line.csv', [{ terminal: 'TPUB3' }]],
    ['10-empty-columns.csv', [{ terminal: 'TPUB4' }]],
    ['11-two-lines-in-a-cell.csv', [{ terminal: 'TPUB5', reacao }]],
    ['13-dos-end.csv', [{ terminal: 'TPUB8' }]],
    ['13-nbsp-in-head.csv', [{ terminal: 'TPUB7' }]],
    ['13-unseen-characters.csv', [{ terminal: 'TPUB 9' }, { terminal: 'TPUB9' }]],
    ['plano-colunas-vazias.csv', [{ terminal: 'KV1' }]],
    ['plano-reacao-duas-linhas.csv', [{ terminal: 'KL1', reacao }]],
    ['plano-sep.csv', [{ terminal: 'KS1' }]],
  ])('%s is read', async (name, plans) => {
    const { importPlans, listed } = await setUp()
    const read = await importPlans(caseOf(name))
    expect(read).toMatchObject({ linhas: plans.length, novas: plans.length, comErro: 0, erros: [] })
    expect(read.terminaisDesconhecidos).toBe(plans.length)
    expect(await listed()).toMatchObject(plans.map((one) => ({ ...plan, ...one })))
  })

  test.each([
    [
      '08-thousands.csv',
      [
        [2, 'Força mínima', '1.000: escreva 1000 ou 1,000'],
        [3, 'Força mínima', '1.250: escreva 1250 ou 1,250'],
      ],
    ],
    [
      '12-eaten-names.csv',
      [
        ...['1,32603E+11', '#REF!', '12/nov', 'VERDADEIRO'].map((cell, at) => [at + 2, 'Terminal', changed(cell)]),
        [6, 'Altura nominal', '46.032: escreva 46032 ou 46,032'],
      ],
    ],
    ['plano-branco-fixo.csv', [[3, 'Terminal', 'O mesmo plano já está na linha 2.']]],
    [
      'plano-erros-de-celula.csv',
      ['1,32603E+11', '#N/D', '#REF!', '12/03/2026', 'VERDADEIRO'].map((cell, at) => [
        at + 2,
        'Terminal',
        changed(cell),
      ]),
    ],
  ] as const)('%s is refused by line, column and a sentence', async (name, faults) => {
    const { importPlans, listed } = await setUp()
    const { erros } = await importPlans(caseOf(name), true)
    expect(erros).toEqual(faults.map(([linha, campo, mensagem]) => ({ linha, campo, mensagem })))
    await importPlans(caseOf(name))
    expect(await listed()).toEqual([])
  })

  test('08-thousands.csv has thousands of pieces, once its forces can be read in one way', async () => {
    const { importPlans, listed } = await setUp()
    const mended = caseOf('08-thousands.csv').toString().replace(';1.000;', ';1000;').replace(';1.250;', ';1,250;')
    await importPlans(Buffer.from(mended))
    expect(await listed()).toMatchObject([
      { terminal: 'TPUB1', bitola: 10_000, forcaMin: 1_000_000, aCadaPecas: 1000 },
      { terminal: 'TPUB2', bitola: 16_000, forcaMin: 1250, aCadaPecas: 2500 },
    ])
  })
})

describe('a file of users', () => {
  test.each([
    ['09-sep-line-users.csv', [[3, 'joana.prado', 'Joana Prado', 'operador']]],
    ['usuarios-sep-e-colunas.csv', [[3, 'caio.luz', 'Caio Luz', 'operador']]],
    [
      'usuarios-ultima-celula.csv',
      [
        [2, 'ilda.reis', 'Ilda Reis', 'admin'],
        ...Array.from({ length: 15 }, (_, at) => [at + 3, `pessoa.${at}`, `Pessoa ${at}`, 'operador']),
        [18, 'caio.luz', 'Caio Luz', 'operador'],
        [19, 'rosa.lima', 'Rosa Lima', 'operador'],
      ],
    ],
  ] as const)('%s is read', async (name, people) => {
    const { importUsers } = await setUp()
    expect(await importUsers(caseOf(name))).toEqual(
      people.map(([line, username, fullName, role]) => ({
        ...{ line, username, fullName, role },
        hasPassword: role === 'admin',
      })),
    )
  })
})

test.each([
  ['21-bom-before.pdf', 'application/pdf'],
  ['21-line-before.pdf', 'application/pdf'],
  ['21-no-eof.pdf', 'application/pdf'],
  ['21-zeros-after.pdf', 'application/pdf'],
  ['21-line-after.png', 'image/png'],
])('%s is taken as a document', async (name, mediaType) => {
  const { added } = await openDocumentPanel()
  expect((await added(caseOf(name), { nome: name })).revisoes[0]?.arquivo.tipo).toBe(mediaType)
})

/** 'typed at the log-in: one | other' */
const [, names = ''] = /^typed at the log-in: (.*)$/m.exec(caseOf('16-names-of-active-directory.txt').toString()) ?? []

test.each(names.split(' | '))('a name of a directory comes in, or reads how to write it: %s', async (typed) => {
  const { enter } = await openDirectory({ people: [personOf('joana.prado', ['Painel'], 'Joana Prado')] })
  const answer = await enter(typed, THEIRS)
  const isOfDirectory = !typed.endsWith('.com.br')
  expect([answer.statusCode, answer.json()]).toMatchObject(
    isOfDirectory
      ? [200, { username: 'joana.prado' }]
      : [401, { message: expect.stringContaining('Use só o nome do usuário') }],
  )
})
