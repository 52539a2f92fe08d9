import type { Permission } from '../../contract/values.ts'
import { isAllowed, knownRole, permissions, roleTexts } from '../../domain/people/permissions.ts'
import { useUser } from '../device/credentials.ts'
import { useSettings } from './settings.ts'

/** Whether whoever is logged in may do that. The server decides again. */
export function useMay(permission: Permission): boolean {
  const { limitRoles } = useSettings()
  return isAllowed(useUser()?.role ?? '', permission, limitRoles)
}

/** In the place of what somebody else would find there. */
export function Denied({ permission }: { permission: Permission }) {
  const role = roleTexts[knownRole(useUser()?.role ?? '')]
  if (useMay(permission)) return null
  const { text } = permissions[permission]
  return (
    <p role="note" className="text-muted">
      Seu perfil ({role}) não pode {text.charAt(0).toLowerCase() + text.slice(1)}.
    </p>
  )
}
