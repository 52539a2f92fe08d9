/** The first that anybody tries, here and anywhere. */
const guessedFirst = [
  '12345678',
  '123456789',
  '1234567890',
  '87654321',
  '11223344',
  'password',
  'passw0rd',
  'qwertyui',
  'senha123',
  'senha1234',
  'mudar123',
  'trocar123',
  'admin123',
  'operador',
  'painel123',
]

/**
 * Whether a password is one of the first that a stranger would try. Length is asked for elsewhere; rules about kinds of
 * characters only make people write passwords down (NIST SP 800-63B).
 */
export function isEasilyGuessed(password: string, username: string): boolean {
  const typed = password.toLowerCase()
  const isOneCharacter = new Set(typed).size === 1
  return isOneCharacter || typed === username.toLowerCase() || guessedFirst.includes(typed)
}
