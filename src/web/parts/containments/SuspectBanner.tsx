import { piecesText } from '../../../domain/text/numbers.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ContainmentLink } from './ContainmentLink.tsx'
import { containedAt, type SuspectPlace, useContained } from './contained.ts'

type Props = {
  place: SuspectPlace
  /** In a dialog, which waits for its own answer: nothing in it leads away. */
  isPlain?: boolean
}

/** Pieces of the work in hand that lie in a containment. Work goes on. */
export function SuspectBanner({ place, isPlain = false }: Props) {
  const contained = useContained(place.branch)
  const what = place.barcode === '' ? 'desta junção' : 'deste item'
  return (contained ? containedAt(contained, place) : []).map(({ id, numero, pecas }) => (
    <Alert key={id} kind="warning">
      {piecesText(pecas)} {what} {pecas === 1 ? 'está' : 'estão'} na contenção{' '}
      {isPlain ? <strong>{numero}</strong> : <ContainmentLink id={id}>{numero}</ContainmentLink>}.
    </Alert>
  ))
}

/** Keeps the list on this device for a dialog that is still to come. */
export function KeepContained({ branch }: { branch: string }) {
  useContained(branch)
  return null
}
