/** With a year or some signs behind it the first that people here try; the list of the server is in English. */
const commonWords = `
  senha password acesso entrar mudar trocar teste testando usuario operador operadora admin administrador painel industrial sistema
  fabrica producao chicote crimpagem protheus totvs empresa trabalho bemvindo
  brasil flamengo corinthians palmeiras saopaulo santos vasco gremio cruzeiro internacional botafogo fluminense atletico
  deus jesus jesuscristo maria familia amor teamo euteamo minhavida saudade felicidade feliz natal futebol
  janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
  segunda terca quarta quinta sexta sabado domingo verao inverno outono primavera
  qwerty qwertyuiop qwertyui asdf asdfgh asdfghjkl zxcvbnm abc abcd abcde abcdef teclado computador internet
`
  .trim()
  .split(/\s+/)

const common = new Set(commonWords)

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

const lookAlikes: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '@': 'a', $: 's' }

/** The word left when a password's trimmings go: 'S3nh@2026!' → 'senha'. */
const coreOf = (password: string): string =>
  folded(
    password
      .replace(/^\d+|[^\p{L}]+$/gu, '')
      .toLowerCase()
      .replace(/[01345@$]/g, (sign) => lookAlikes[sign] ?? sign),
  )

const wordsOf = (name: string): string[] => [name, ...name.split(/[^\p{L}]+/u)].map(folded)

/** 'aaaaaaaa', 'abc1abc1', '23456789'. */
function isRow(typed: string): boolean {
  if (/^(.{1,4})\1+$/su.test(typed)) return true
  const steps = [...typed].slice(1).map((sign, at) => sign.charCodeAt(0) - typed.charCodeAt(at))
  return [1, -1].some((step) => steps.every((one) => one === step))
}

/** A birthday: eight digits. */
const isDate = (typed: string): boolean => /^\d{8}$/.test(typed)

/**
 * Whether a password is one of the first that a stranger would try: a common word, or what is known of its owner
 * (`about`: name to enter, full name, site), with whatever digits and signs around it. Length is asked for elsewhere;
 * rules about kinds of characters only make people write passwords down (NIST SP 800-63B).
 */
export function isEasilyGuessed(password: string, about: readonly string[]): boolean {
  const typed = password.toLowerCase()
  if (isRow(typed) || isDate(typed)) return true
  const core = coreOf(password)
  const known = about.flatMap(wordsOf).filter((word) => word !== '')
  return common.has(core) || common.has(core.replace(/s$/, '')) || known.includes(core)
}
