import { Archive, Ban } from 'lucide-react'
import type { RevisionSituation } from '../../../contract/documents.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'

/** A revision in force gets no badge: normal is quiet. */
export function SituationBadge({ situation }: { situation: RevisionSituation }) {
  if (situation === 'vigente') return null
  const isOld = situation === 'obsoleto'
  const Mark = isOld ? Archive : Ban
  return (
    <Badge tone={isOld ? 'warn' : 'bad'} icon={<Mark {...icon.sm} />}>
      {isOld ? 'Obsoleto' : 'Retirado'}
    </Badge>
  )
}
