import { expect, test } from 'vitest'
import { isEasilyGuessed } from './passwords.ts'

test('the first that anybody tries is no password', () => {
  for (const password of ['12345678', 'Senha123', 'aaaaaaaa', 'Joao.Dias']) {
    expect(isEasilyGuessed(password, 'joao.dias'), password).toBe(true)
  }
  for (const password of ['três porcas na bancada', 'joao.dias.2', 'aaaaaaab']) {
    expect(isEasilyGuessed(password, 'joao.dias'), password).toBe(false)
  }
})
