import { useUser } from '../device/credentials.ts'
import { displayName } from '../text/labels.ts'

/** Under whose name a press records: on a shared tablet it may be a colleague's. */
export function RecordedBy() {
  const user = useUser()
  return user && <p className="mt-1 truncate text-center text-sm text-muted">por {displayName(user)}</p>
}
