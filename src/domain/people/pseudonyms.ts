/** One person by all the names that the panel knows: user name, full name, names of before. */
type KnownPerson = readonly string[]

export type Known = {
  people: readonly KnownPerson[]
  /** Host names, which no pattern tells from other words. */
  addresses: readonly string[]
  /** Wherever they stand, also inside a word. */
  secrets: readonly string[]
  /** Folders of this installation: they hold names of accounts. */
  paths: readonly string[]
}

/** Numbers in place of names, the same ones within one life of this: what it makes is good for one file. */
export type Pseudonyms = {
  person(name: string): string
  address(text: string): string
  device(name: string): string
  /** Fixed words of the panel's own, in which only names and secrets are looked for. */
  words(text: string): string
  /** Anything that somebody or some library has written; what stands in quotation marks goes. */
  text(text: string): string
}

const SECRET = '(segredo)'
const PATH = '(caminho)'
/** Private-use characters of Unicode: no other step sees words there. */
const [SECRET_MARK, PATH_MARK] = ['\ue000', '\ue001']

/** Without case and accents, each letter in its place. */
const folded = (text: string): string => {
  const composed = text.normalize('NFC')
  const parts = Array.from(composed, (letter) => {
    const [plain = letter] = letter.normalize('NFD').toLowerCase()
    return plain.length === letter.length ? plain : letter
  })
  return parts.join('')
}

const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Between names, and no name. */
const particles = new Set(['da', 'das', 'de', 'do', 'dos', 'del', 'van', 'von'])
const PART_LENGTH_MIN = 3
const SECRET_LENGTH_MIN = 3

type Phrase = { words: readonly string[]; shown: () => string }

const key = (words: readonly string[]) => words.join(' ')

/** Phrases by their first word, the longest first. */
function indexed(phrases: Iterable<Phrase>): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>()
  for (const phrase of phrases) {
    const [first] = phrase.words
    if (first !== undefined) index.set(first, [...(index.get(first) ?? []), phrase])
  }
  for (const list of index.values()) list.sort((one, other) => other.words.length - one.words.length)
  return index
}

/** Replaces whole phrases, whatever stands between their words. */
function replacePhrases(text: string, index: ReadonlyMap<string, readonly Phrase[]>): string {
  const composed = text.normalize('NFC')
  const found = [...folded(composed).matchAll(/[\p{L}\p{N}]+/gu)]
  let replaced = ''
  let end = 0
  for (let at = 0; at < found.length; ) {
    const fits = ({ words }: Phrase) => words.every((word, nth) => found[at + nth]?.[0] === word)
    const phrase = index.get(found[at]?.[0] ?? '')?.find(fits)
    if (!phrase) {
      at++
      continue
    }
    const last = found[at + phrase.words.length - 1]
    replaced += composed.slice(end, found[at]?.index) + phrase.shown()
    end = (last?.index ?? 0) + (last?.[0].length ?? 0)
    at += phrase.words.length
  }
  return replaced + composed.slice(end)
}

const HEX = '[\\da-f]{1,4}'
/** Shapes of secrets, addresses and people's own words; the first that fits counts. */
const shapes = new RegExp(
  [
    '(?<badge>\\bPIC-[\\dA-Z]{4,40})',
    '(?<said>\\b(?:(?:bearer|basic)\\s+|(?:senha|password|passwd|pwd|token|secret|segredo|cookie|pin)["\']?\\s*[:=]\\s*)\\S+)',
    // one that is cut short has no end
    "(?<quoted>\"[^\"\\n]*(?:\"|$)|`[^`\\n]*(?:`|$)|“[^”\\n]*(?:”|$)|(?<![\\p{L}\\d])'(?:[^'\\n]|'(?=\\p{L}))*(?:'|$))",
    // in sentences of ours about folders
    '(?<account>(?<=\\b(?:conta|chown -R|-o) )(?!root[\\s,]|de )[^\\s,;:]*[^\\s,;:.])',
    '(?<url>\\b[a-z][a-z\\d+.-]*://[^\\s<>]+)',
    '(?<mail>(?<![^\\s@<>(),;:=])[^\\s@<>(),;:=]+@[^\\s@<>(),;:]+)',
    '(?<dn>\\b(?:CN|OU|DC|UID)=[^,;\\n]+(?:,\\s*[A-Z]{1,3}=[^,;\\n]+)*)',
    '(?<mac>\\b[\\da-f]{2}(?:[:-][\\da-f]{2}){5}\\b)',
    '(?<ip4>(?<![\\d.])(?:::ffff:)?\\d{1,3}(?:\\.\\d{1,3}){3}(?!\\.?\\d))',
    `(?<ip6>(?<![\\w:])(?:(?:${HEX}:){7}${HEX}|(?:${HEX}(?::${HEX})*)?::(?:${HEX}(?::${HEX})*)?))`,
    '(?<path>(?<![\\w)])(?:[a-z]:)?[\\\\/][^\\s\\\\/:()]+(?:[\\\\/][^\\s\\\\/:()]+)+)',
    '(?<uuid>\\b[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\b)',
    '(?<host>(?<![\\p{L}\\d_-])(?:[\\p{L}\\d_-]+(?:\\.[\\p{L}\\d_-]+)*\\.(?=[\\d_-]*\\p{L})[\\p{L}\\d_-]{2,}|\\p{L}[\\p{L}\\d-]*(?=:\\d{2,5}\\b)))',
    '(?<long>(?<![\\w+/=-])[\\w+/=-]{24,})',
  ].join('|'),
  'gimu',
)

/** Names of code and of numbers, which have dots as hosts do. */
const CODE_NAME = /\.(?:[cm]?[jt]sx?|json|sql|sqlite|md)$|^\d+(?:\.\d+)+$/i
const isHere = (address: string) => /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1?|localhost)$/i.test(address)
const isMixed = (text: string) => /\d/.test(text) && /[a-z]/i.test(text)

/** Numbers in the order in which things are met. */
function numbered(noun: string): (key: string) => string {
  const numbers = new Map<string, number>()
  return (name) => {
    const number = numbers.get(name) ?? numbers.size + 1
    numbers.set(name, number)
    return `${noun} ${number}`
  }
}

/** Each name with its pseudonym: whole names first; a part that several people share becomes '(pessoa)'. */
function peoplePhrases(people: readonly KnownPerson[], show: (who: string) => string) {
  const whole = new Map<string, string>()
  const parts = new Map<string, string | null>()
  for (const names of people) {
    const [who = ''] = names.map((name) => key(wordsOf(name))).filter((one) => one !== '')
    if (who === '') continue
    for (const name of names) {
      const words = wordsOf(name)
      if (words.length > 0 && !whole.has(key(words))) whole.set(key(words), who)
      for (const word of words) {
        if (word.length < PART_LENGTH_MIN || particles.has(word) || /^\d+$/.test(word)) continue
        parts.set(word, (parts.get(word) ?? who) === who ? who : null)
      }
    }
  }
  const phrases = new Map<string, Phrase>()
  for (const [word, who] of parts)
    phrases.set(word, { words: [word], shown: () => (who === null ? '(pessoa)' : show(who)) })
  for (const [name, who] of whole) phrases.set(name, { words: name.split(' '), shown: () => show(who) })
  return { whole, phrases }
}

export function openPseudonyms({ people, addresses, secrets, paths }: Known): Pseudonyms {
  const [showPerson, showAddress, showDevice] = ['pessoa', 'endereço', 'dispositivo'].map(numbered) as [
    (name: string) => string,
    (name: string) => string,
    (name: string) => string,
  ]
  const showBadge = numbered('crachá')
  const { whole, phrases } = peoplePhrases(people, showPerson)
  const person = (name: string) => {
    const own = key(wordsOf(name))
    return own === '' ? '' : showPerson(whole.get(own) ?? own)
  }
  const address = (text: string) => {
    const own = text
      .trim()
      .toLowerCase()
      .replace(/^\[|\]$|^::ffff:(?=\d+\.)/g, '')
    return own === '' || isHere(own) ? own : showAddress(own)
  }
  const hosts = addresses.filter((host) => !isHere(host))
  const index = indexed([
    ...phrases.values(),
    ...hosts.map((host) => ({ words: wordsOf(host), shown: () => address(host) })),
  ])
  // the longest first: one may be a part of another
  const hidden = [
    ...secrets.filter((one) => one.length >= SECRET_LENGTH_MIN).map((one) => [one, SECRET_MARK] as const),
    ...paths.filter((one) => one.length > 1).map((one) => [one, PATH_MARK] as const),
  ].toSorted(([one], [other]) => other.length - one.length)
  const withoutHidden = (text: string) =>
    hidden.reduce((rest, [one, mark]) => rest.replaceAll(one, mark), text.replace(/[\ue000\ue001]/g, ''))
  const shown = (text: string) => text.replaceAll(SECRET_MARK, SECRET).replaceAll(PATH_MARK, PATH)
  const names = (text: string) => replacePhrases(text, index)

  const shownUrl = (url: string) => {
    const [, scheme = '', host = '', port = ''] =
      /^([^:]+):\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)(:\d+)?/.exec(url) ?? []
    return `${/^(https?|ldaps?|smtps?|mysql|sqlite|file|node|wss?)$/i.test(scheme) ? scheme : '…'}://${address(host)}${port}`
  }
  const shownShape = (found: string, groups: Record<string, string | undefined>): string => {
    if (groups.badge !== undefined) return showBadge(found.toUpperCase())
    if (groups.said !== undefined) return `${/^\p{L}+/u.exec(found)?.[0] ?? ''} ${SECRET}`
    if (groups.quoted !== undefined) return '"…"'
    if (groups.account !== undefined) return person(found)
    if (groups.url !== undefined) return shownUrl(found)
    if (groups.path !== undefined) return PATH
    if (groups.uuid !== undefined) return found
    if (groups.long !== undefined) return isMixed(found) ? SECRET : names(found)
    if (groups.host !== undefined && CODE_NAME.test(found)) return names(found)
    const who = whole.get(key(wordsOf(found)))
    return who === undefined ? address(found) : showPerson(who)
  }
  const text = (raw: string) => {
    const clean = withoutHidden(raw.normalize('NFC'))
    let replaced = ''
    let end = 0
    for (const match of clean.matchAll(shapes)) {
      replaced += names(clean.slice(end, match.index)) + shownShape(match[0], match.groups ?? {})
      end = match.index + match[0].length
    }
    return shown(replaced + names(clean.slice(end)))
  }
  return {
    person,
    address,
    device: (name) => (name.trim() === '' ? '' : showDevice(folded(name.trim()))),
    words: (raw) => shown(names(withoutHidden(raw))),
    text,
  }
}
