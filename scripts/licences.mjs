// The licences of what the panel is made of, as one text: whoever gets a copy of a program gets its licence.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isLicence = (entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name)

const titled = (title, ...texts) => [title, '='.repeat(title.length), ...texts].join('\n\n')

/** Of every package that runs in a plant, by name; those for building and testing are no part of the product. The font last. */
export function licencesText(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const used = Object.entries(packages).filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
  const ofPackages = used.map(([path, { version, license }]) => {
    const folder = join(root, path)
    const texts = readdirSync(folder, { withFileTypes: true })
      .filter(isLicence)
      .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
    return titled(`${path.replace(/^.*node_modules\//, '')} ${version} (${license ?? 'see below'})`, ...texts)
  })
  const ofFont = readFileSync(join(root, 'src/web/fonts/LICENSE.txt'), 'utf8').trim()
  return [...ofPackages, titled('Inter 4.1 (OFL-1.1)', ofFont)].join('\n\n\n')
}
