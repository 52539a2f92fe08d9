/** Hex values are ours: each code abbreviates a colour's Portuguese name. */
const colours: Record<string, { name: string; hex: string }> = {
  am: { name: 'Amarelo', hex: '#FFD600' },
  az: { name: 'Azul', hex: '#1565C0' },
  br: { name: 'Branco', hex: '#FFFFFF' },
  cz: { name: 'Cinza', hex: '#8A9299' },
  lr: { name: 'Laranja', hex: '#F57C00' },
  mr: { name: 'Marrom', hex: '#6D4328' },
  pr: { name: 'Preto', hex: '#1C1C1C' },
  rs: { name: 'Rosa', hex: '#F48FB1' },
  rx: { name: 'Roxo', hex: '#7B1FA2' },
  vd: { name: 'Verde', hex: '#2E9E3F' },
  vm: { name: 'Vermelho', hex: '#D32020' },
}

/** `hex` is null for a code that nobody knows: drawn hatched, with its text. */
export type WireColour = { code: string; name: string; hex: string | null }

/** Base first, then the stripes: `am/vd` is yellow with a green stripe. Empty for a wire without colour. */
export function wireColours(code: string): WireColour[] {
  const codes = code
    .toLowerCase()
    .split(/[/\s-]+/)
    .filter((part) => part !== '')
  return [...new Set(codes)].map((part) => {
    const known = Object.hasOwn(colours, part) ? colours[part] : undefined
    return known ? { code: part, ...known } : { code: part, name: part.toUpperCase(), hex: null }
  })
}

/** 'Amarelo com verde': colour is never the only sign. */
export function wireColourName(code: string): string {
  const [base, ...stripes] = wireColours(code)
  if (!base) return 'Sem cor'
  if (!base.hex) return `${code.trim().toUpperCase()} · cor não cadastrada`
  if (stripes.length === 0) return base.name
  return `${base.name} com ${stripes.map(({ name, hex }) => (hex ? name.toLowerCase() : name)).join(' e ')}`
}

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

/** sRGB to light that is linear in what a lamp sends. */
const linear = (hex: string) =>
  channels(hex).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))

const weighted = (rgb: readonly number[], weights: readonly [number, number, number]) =>
  weights.reduce((sum, weight, at) => sum + weight * (rgb[at] ?? 0), 0)

const luminance = (hex: string) => weighted(linear(hex), [0.2126, 0.7152, 0.0722])

/** As WCAG 2 counts it: 1 for equal ones, 21 for black on white. */
export function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** CIELAB under D65. */
function lab(hex: string): [lightness: number, a: number, b: number] {
  const rgb = linear(hex)
  const cubeRoot = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 3132 + 16 / 116)
  const x = cubeRoot(weighted(rgb, [0.4124, 0.3576, 0.1805]) / 0.95047)
  const y = cubeRoot(luminance(hex))
  const z = cubeRoot(weighted(rgb, [0.0193, 0.1192, 0.9505]) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** Distance as CIE 1976 measures it. */
export function colourDistance(one: string, other: string): number {
  const [from, to] = [lab(one), lab(other)]
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2])
}

/** Two colours that run into each other, the more so on an old screen or in the eye of a colour-blind person. */
export const isHardToTell = (one: string, other: string): boolean =>
  colourDistance(one, other) < 45 || contrast(one, other) < 1.5

/** Black or white, whichever is read on it. */
export const printOn = (hex: string): '#000000' | '#FFFFFF' =>
  contrast(hex, '#000000') >= contrast(hex, '#FFFFFF') ? '#000000' : '#FFFFFF'
