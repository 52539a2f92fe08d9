import { expect, test } from 'vitest'
import { openPseudonyms } from './pseudonyms.ts'

const known = {
  people: [
    ['jsilva', 'José da Silva Quintão'],
    ['maria.rosa', 'Maria Rosa'],
    ['1042', 'Maria Abreu'],
  ],
  addresses: ['srv-erp01', 'painel.fabrica.local', '127.0.0.1'],
  secrets: ['s3nha&', 'x'],
  paths: ['/home/João da Silva/painel'],
}

test.each([
  ['the whole name', 'Log limpo por José da Silva Quintão', 'Log limpo por pessoa 1'],
  ['a name in other letters', 'Log limpo por JOSE DA SILVA QUINTAO', 'Log limpo por pessoa 1'],
  ['a name whose accents are letters of their own', 'por Jose\u0301 da Silva Quinta\u0303o', 'por pessoa 1'],
  ['a part of a name', 'o Quintão pediu', 'o pessoa 1 pediu'],
  ['a part that two people share', 'a Maria pediu', 'a (pessoa) pediu'],
  ['a user name with a dot', 'maria.rosa saiu', 'pessoa 1 saiu'],
  ['a user name that is a number', 'usuário 1042 em 10423', 'usuário pessoa 1 em 10423'],
  ['two people, one of them twice', 'jsilva, Maria Abreu, Silva', 'pessoa 1, pessoa 2, pessoa 1'],
  ['an e-mail', 'para <ze@fabrica.com.br>', 'para <endereço 1>'],
  ['an IPv4', 'connect ECONNREFUSED 10.1.2.3:3306', 'connect ECONNREFUSED endereço 1:3306'],
  ['an IPv6', 'de fe80::1ff:fe23:4567:890a, 10.0.0.7 e ::ffff:10.0.0.7.', 'de endereço 1, endereço 2 e endereço 2.'],
  ['a MAC', 'de 00:1a:2B:3c:4d:5e', 'de endereço 1'],
  ['a host that nobody has configured', 'getaddrinfo ENOTFOUND erp2.fabrica.local', 'getaddrinfo ENOTFOUND endereço 1'],
  ['a host without dots', 'SRV-ERP01 e outro:8080', 'endereço 1 e endereço 2:8080'],
  ['a URL with a login', 'GET https://ti:abc@painel.fabrica.local:8443/a?b=c', 'GET https://endereço 1:8443'],
  ['a name in a directory', 'no CN=Zeca Pires,OU=Gente,DC=fab', 'no endereço 1'],
  ['the badge of somebody', 'lido pic-7k2m9q4x1z', 'lido crachá 1'],
  ['a known secret inside a word', 'as3nha&b', 'a(segredo)b'],
  ['a password that says so', 'senha: abc123, Bearer abc.def', 'senha (segredo) Bearer (segredo)'],
  ['what looks like a key', 'aG9sYSBtdW5kbyBjcnVlbCBl0Zg==', '(segredo)'],
  ["somebody's words", `Unexpected token 'Z', "Zeca disse" is not`, 'Unexpected token "…", "…" is not'],
  ["somebody's words cut short", "can't read 'Zeca d", 'can\'t read "…"'],
  ['a folder of this installation', 'em /home/João da Silva/painel/data', 'em (caminho)/data'],
  [
    'an account of the machine',
    'é da conta root, e roda na conta ana.p. Ou: chown -R ana.p /srv/x (da conta de número 7)',
    'é da conta root, e roda na conta pessoa 1. Ou: chown -R pessoa 1 (caminho) (da conta de número 7)',
  ],
  ['another folder', 'ENOENT /srv/zeca/x e C:\\Users\\zeca\\x', 'ENOENT (caminho) e (caminho)'],
])('%s becomes a number or goes', (_, text, expected) => {
  expect(openPseudonyms(known).text(text)).toBe(expected)
})

test.each([
  ['times, versions and counts', '12:00:03 v2.0.1 há 16 minutos'],
  ['this very machine', 'connect ECONNREFUSED 127.0.0.1:9'],
  ['names of files of the program', 'outbox.ts:94:7'],
  ['the id of a recording', '0b9f9a52-2c0e-4a44-9d3c-54d3f2f6c111'],
])('%s stay', (_, text) => {
  expect(openPseudonyms(known).text(text)).toBe(text)
})

test('a person, an address and a device have the same number wherever they are met', () => {
  const { person, address, device, text, words } = openPseudonyms(known)
  expect([person('Maria Rosa'), person('MARIA.ROSA'), text('maria.rosa')]).toEqual(Array(3).fill('pessoa 1'))
  expect([person('Zeca'), person('zeca'), person('')]).toEqual(['pessoa 2', 'pessoa 2', ''])
  expect([address('10.0.0.5'), text('10.0.0.5'), address('::1')]).toEqual(['endereço 1', 'endereço 1', '::1'])
  expect([address('srv-erp01'), text('srv-erp01:1')]).toEqual(['endereço 2', 'endereço 2:1'])
  expect([device('Tablet 3'), device('TABLET 3'), device(' ')]).toEqual(['dispositivo 1', 'dispositivo 1', ''])
  expect(words('de Maria Rosa em a.b/c')).toBe('de pessoa 1 em a.b/c')
})

test('a text of any length is read in a moment', () => {
  const { text } = openPseudonyms(known)
  for (const piece of ['a', 'a.', 'a-', "'", '"', '::', 'a@', '/a', 'a1', 'CN=a,']) {
    expect(text(piece.repeat(3000)).length).toBeLessThan(40_000)
  }
})
