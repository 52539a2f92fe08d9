import { KeyRound, UserRound } from 'lucide-react'
import { useState } from 'react'
import type { LoggedInUser } from '../../credentials.ts'
import { displayName } from '../../labels.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { OwnPasswordDialog } from './OwnPasswordDialog.tsx'

/** Who is logged in, and what is theirs alone. */
export function OwnAccount({ user }: { user: LoggedInUser }) {
  const [isChanging, setChanging] = useState(false)
  const { username } = user
  return (
    <Section title="Sua conta" icon={<UserRound {...icon.md} />}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-medium">{displayName(user)}</span> <span className="text-muted">({username})</span>
        </p>
        <Button icon={<KeyRound {...icon.sm} />} onPress={() => setChanging(true)}>
          Trocar senha
        </Button>
      </div>
      {isChanging && <OwnPasswordDialog user={user} onClose={() => setChanging(false)} />}
    </Section>
  )
}
