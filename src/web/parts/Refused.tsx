import { CircleAlert } from 'lucide-react'
import { icon } from '../ui/icon-sizes.ts'

/** Why a part was not recorded, where none of its fields says so. */
export const Refused = ({ text }: { text: string | undefined }) =>
  text && (
    <p className="flex items-center gap-2 pb-2 font-medium text-bad-ink">
      <CircleAlert {...icon.sm} className="shrink-0" />
      {text}
    </p>
  )
