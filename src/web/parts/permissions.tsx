import type { Permission } from '../../contract/values.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { useUser } from '../device/credentials.ts'
import { deferred } from '../device/deferred.ts'
import { lateExtra } from './Late.tsx'
import { useSettings } from './settings.ts'

/** Whether whoever is logged in may do that. The server decides again. */
export function useMay(permission: Permission): boolean {
  const { limitRoles } = useSettings()
  return isAllowed(useUser()?.role ?? '', permission, limitRoles)
}

const DeniedNote = lateExtra(deferred(async () => (await import('./access/DeniedNote.tsx')).DeniedNote))

/** In the place of what somebody else would find there, with room for a line before that has come. */
export const Denied = ({ permission }: { permission: Permission }) =>
  !useMay(permission) && (
    <div className="min-h-6">
      <DeniedNote permission={permission} />
    </div>
  )
