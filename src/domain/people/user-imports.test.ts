import { expect, test } from 'vitest'
import { IMPORTED_USERS_MAX, readUserImport } from './user-imports.ts'

const HEAD = 'nome;usuario;papel;senha'
const faultsOf = (...lines: string[]) =>
  readUserImport([HEAD, ...lines].join('\n')).faults.map(({ line, message }) => `${line}: ${message}`)

test('users are read from what spreadsheets write: either separator, marks, quotes, blank lines, any order of columns', () => {
  const joao = { username: 'joao.dias', fullName: 'João Dias', role: 'operador', password: 'h7k-m2p-x' }
  const ana = { username: 'ana', fullName: 'Ana "Nina" Lima; líder', role: 'admin', password: 'h7k-m2p-x3w' }
  const semicolons = `\uFEFFNome;Usuário;Perfil;Senha\r\nJoão Dias;Joao.Dias;Operador;h7k-m2p-x\r\n;;;\r\n"Ana ""Nina"" Lima; líder"; "ana" ;ADMIN;h7k-m2p-x3w\r\n`
  expect(readUserImport(semicolons)).toEqual({
    users: [
      { line: 2, ...joao },
      { line: 4, ...ana },
    ],
    faults: [],
  })
  expect(readUserImport('senha,papel,usuario,nome\nh7k-m2p-x,operador,joao.dias,Joa\u0303o Dias')).toEqual({
    users: [{ line: 2, ...joao }],
    faults: [],
  })
})

test('who has no password on the line, or no such column, gets none', () => {
  const none = { username: 'rui', fullName: 'Rui Alves', role: 'operador', password: null }
  expect(readUserImport(`${HEAD}\nRui Alves;rui;operador;`).users).toEqual([{ line: 2, ...none }])
  expect(readUserImport('nome;usuario;papel\nRui Alves;rui;operador').users).toEqual([{ line: 2, ...none }])
  expect(faultsOf('Rui Alves;rui;admin;')).toEqual(['2: Um administrador precisa de senha.'])
})

test.each([
  ['Rui;rui;chefe;h7k-m2p-x', /^2: Papel desconhecido: 'chefe'\. Use operador,/],
  ['Rui;rui;;h7k-m2p-x', /^2: Papel desconhecido: ''/],
  ['=HYPERLINK("x");rui;operador;', /^2: A coluna nome começa com =, como uma fórmula\.$/],
  ['12/nov;rui;operador;', /^2: nome: O Excel trocou este nome\? Aqui está '12\/nov'\./],
  ['Rui;1,32603E+11;operador;', /^2: usuario: O Excel trocou este nome\?/],
  ['Rui;VERDADEIRO;operador;', /^2: usuario: O Excel trocou este nome\?/],
  ['Rui;rui;operador;1,32603E+11', /^2: O Excel trocou esta senha\? Formate/],
  ['Rui;-rui;operador;', /^2: A coluna usuario começa com -, como uma fórmula\.$/],
  [';rui;operador;', /^2: Falta o nome\.$/],
  ['Rui;;operador;', /^2: Falta o usuário\.$/],
  ['Rui;rui alves;operador;', /^2: usuario: Use letras sem acento/],
  [`${'x'.repeat(121)};rui;operador;`, /^2: nome: Texto longo demais/],
  ['Rui;rui;operador;curta', /^2: A senha precisa de pelo menos 8 caracteres\.$/],
  ['Rui;rui;admin;h7k-m2p-x', /^2: A senha de administrador precisa de pelo menos 10 caracteres\.$/],
  ['Rui;rui;operador;;x', /^2: São esperadas 4 colunas, e aqui há 5\.$/],
  ['Rui;"ru\ni";operador;', /^2: usuario: Esta célula tem duas linhas\.$/],
  ['"Rui;rui;operador;', /^2: Há aspas que não se fecham nesta linha\.$/],
])('a line that cannot be taken is refused by its number and a sentence: %s', (line, fault) => {
  expect(faultsOf(line)).toEqual([expect.stringMatching(fault)])
})

test('every line with a fault is named, doubled users at the second of them', () => {
  expect(faultsOf('Rui;rui;operador;', '', 'Ana;ana;chefe;', 'Rui Alves;RUI;operador;')).toEqual([
    expect.stringMatching(/^4: Papel desconhecido/),
    '5: O usuário rui já está na linha 2.',
  ])
})

test('a file that is none of users is refused as a whole, with what to do', () => {
  const faultOf = (content: string) => readUserImport(content).faults
  expect(faultOf('')).toEqual([{ line: 1, message: 'O arquivo está vazio.' }])
  expect(faultOf(`${HEAD}\n`)).toEqual([{ line: 1, message: 'O arquivo só tem os nomes das colunas.' }])
  expect(faultOf('nome;papel\nRui;operador')).toEqual([
    { line: 1, message: 'Falta a coluna usuario. Use nome, usuario, papel e senha.' },
  ])
  expect(faultOf('\nnome;usuario;turno\nRui;rui;1')).toEqual([
    { line: 2, message: "Coluna desconhecida: 'turno'. Use nome, usuario, papel e senha." },
  ])
  expect(faultOf('nome;usuario;papel;perfil\n')).toEqual([{ line: 1, message: 'A mesma coluna está duas vezes.' }])
  expect(faultOf('PK\u0003\u0004\u0014')).toEqual([
    { line: 1, message: 'Isto não é um CSV: grave a planilha como CSV (UTF-8).' },
  ])
  const rows = Array.from({ length: IMPORTED_USERS_MAX + 1 }, (_, at) => `Rui;rui.${at};operador;`)
  expect(faultsOf(...rows)).toEqual(['202: São no máximo 200 usuários por arquivo.'])
  expect(faultsOf(...rows.slice(1))).toEqual([])
})
