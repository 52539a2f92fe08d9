const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** An object or list that is being read; a list has no keys. */
type Open = { keys: Map<string, string> | null; key: string; valueFrom: number }

/**
 * Whether some object of a JSON text says one key twice, case apart, with different values. `JSON.parse` keeps the last of them
 * and tells nobody.
 */
export function hasContradiction(text: string): boolean {
  const tokens = text.match(TOKEN) ?? []
  const open: Open[] = []
  /** True where the value that ends before `end` differs from an earlier one under its key. */
  const differs = (at: Open | undefined, end: number): boolean => {
    if (!at?.keys || at.key === '') return false
    const value = tokens.slice(at.valueFrom, end).join('')
    const earlier = at.keys.get(at.key)
    at.keys.set(at.key, value)
    at.key = ''
    return earlier !== undefined && earlier !== value
  }
  for (const [index, token] of tokens.entries()) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') {
      open.push({ keys: token === '{' ? new Map() : null, key: '', valueFrom: index + 1 })
    } else if (token === ':') {
      if (inner) Object.assign(inner, { key: (tokens[index - 1] ?? '').toUpperCase(), valueFrom: index + 1 })
    } else if (token === ',' || token === '}' || token === ']') {
      if (differs(inner, index)) return true
      if (token !== ',') open.pop()
    }
  }
  return false
}
