// The licences of what the panel is made of, as one text: whoever gets a copy of a program gets its licence.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isLicence = (entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name)

/** Of every package that runs in a plant, by name; those for building and testing are no part of the product. */
export function licencesText(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const used = Object.entries(packages).filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
  return used
    .map(([path, { version, license }]) => {
      const folder = join(root, path)
      const texts = readdirSync(folder, { withFileTypes: true })
        .filter(isLicence)
        .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
      const title = `${path.replace(/^.*node_modules\//, '')} ${version} (${license ?? 'see below'})`
      return [title, '='.repeat(title.length), ...texts].join('\n\n')
    })
    .join('\n\n\n')
}
