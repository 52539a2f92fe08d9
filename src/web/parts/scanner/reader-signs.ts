import { UNREADABLE } from '../../../domain/text/frames.ts'

const quoted = (signs: string): string => `"${signs.replaceAll(UNREADABLE, '(tecla)')}"`

/** What the reader of this device was found to add to each label. */
export function signsText(signs: string): string {
  const places = ['antes do código', 'depois dele', 'no meio']
  const added = signs.split('\n').flatMap((line, at) => (line === '' ? [] : [`${quoted(line)} ${places[at]}`]))
  return added.length === 0
    ? 'O leitor manda só o que está na etiqueta.'
    : `O leitor põe ${new Intl.ListFormat('pt-BR').format(added)}: o painel tira.`
}
