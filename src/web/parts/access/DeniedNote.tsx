import type { Permission } from '../../../contract/values.ts'
import { knownRole, roleTexts } from '../../../domain/people/permissions.ts'
import { useUser } from '../../device/credentials.ts'
import { permissionTexts } from '../../text/permission-texts.ts'

/** What somebody may not do, and with which role. */
export function DeniedNote({ permission }: { permission: Permission }) {
  const role = roleTexts[knownRole(useUser()?.role ?? '')]
  const text = permissionTexts[permission]
  return (
    <p role="note" className="text-muted">
      Seu perfil ({role}) não pode {text.charAt(0).toLowerCase() + text.slice(1)}.
    </p>
  )
}
