import { NEW } from '../../text/links.ts'
import { ContainmentView } from './ContainmentView.tsx'
import { NewContainment } from './preview/NewContainment.tsx'
import { useNamed } from './shown.ts'

/** Suspect pieces: of a window that nobody has opened yet, and those of a containment. */
export function ContainmentsScreen() {
  const id = useNamed()
  return id === NEW ? <NewContainment /> : <ContainmentView key={id} id={id} />
}
