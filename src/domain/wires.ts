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
    return known ? { code: part, ...known } : { code: part, name: part, hex: null }
  })
}

/** 'Amarelo com verde': colour is never the only sign. */
export function wireColourName(code: string): string {
  const [base, ...stripes] = wireColours(code).map(({ name }) => name)
  if (!base) return 'Sem cor'
  return stripes.length === 0 ? base : `${base} com ${stripes.join(' e ').toLowerCase()}`
}
