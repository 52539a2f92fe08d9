import type { Plant } from '../../contract/settings.ts'

/** As the variable PLANTS has them: `code=label`, separated by commas. */
export const plantsOf = (list: string): Plant[] =>
  list.split(',').map((pair) => {
    const [code = '', label = ''] = pair.split('=')
    return { code: code.trim(), label: label.trim() }
  })

export const plantsText = (plants: readonly Plant[]): string =>
  plants.map(({ code, label }) => `${code}=${label}`).join(',')
