import { expect, test } from 'vitest'
import { isEasilyGuessed } from './passwords.ts'

const ABOUT = ['joao.dias', 'João Dias Carneiro', 'Unidade Contagem']

test('what anybody would try first is no password', () => {
  for (const password of [
    '12345678',
    '23456789',
    '98765432',
    'abcdefgh',
    'aaaaaaaa',
    'abc1abc1abc1',
    '31121990',
    'Senha123',
    'senha@2026!',
    'S3nh@s2026',
    'p@inel#1',
    'Mudar123',
    'Brasil2026',
    'Flamengo1981',
    'outubro2026',
    'operador',
    'painel123',
    'Joao.Dias',
    'joao.dias.2',
    'JOÃODIAS1',
    'dias2026',
    'carneiro!',
    'joaodiascarneiro',
    'Contagem01',
    'unidadecontagem',
  ]) {
    expect(isEasilyGuessed(password, ABOUT), password).toBe(true)
  }
})

test('anything else is one, whatever its characters', () => {
  for (const password of ['três porcas na bancada', 'aaaaaaab', 'o carneiro de joao', '4711 0815 93', 'h7k-m2p-qx9']) {
    expect(isEasilyGuessed(password, ABOUT), password).toBe(false)
  }
  expect(isEasilyGuessed('uma frase', ['', ' '])).toBe(false)
})
