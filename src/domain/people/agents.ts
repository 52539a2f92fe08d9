/** The first that fits: browsers also name those whom they resemble. */
const browsers = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Android/, 'Android'],
  [/iPad/, 'iPad'],
  [/iPhone/, 'iPhone'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

const nameIn = (agent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([pattern]) => pattern.test(agent))?.[1]

/** Browser and system by which a person knows a device, 'Chrome · Windows'; of a program what it calls itself. */
export function agentText(agent: string): string {
  const known = [nameIn(agent, browsers), nameIn(agent, systems)].filter((name) => name !== undefined)
  return (known.length > 0 ? known.join(' · ') : agent.replace(/[^\x20-\x7e]/g, '')).slice(0, 64)
}

/** The same text where only names that are known here stand in it; null: a program said something of its own. */
export function knownAgent(text: string): string | null {
  const known: readonly string[] = [...browsers, ...systems].map(([, name]) => name)
  return text.split(' · ').every((name) => known.includes(name)) ? text : null
}
