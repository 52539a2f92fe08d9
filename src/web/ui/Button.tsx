import type { ReactNode, Ref } from 'react'
import { SpinnerMark } from './Spinner.tsx'

const looks = {
  primary: 'bg-brand text-on-brand hover:bg-brand-strong',
  secondary: 'border border-edge bg-surface text-ink hover:bg-hover',
  quiet: 'text-brand-ink hover:bg-brand-soft',
  danger: 'bg-bad-fill text-on-brand hover:bg-bad-strong',
}

/** 44 px is the least a gloved finger hits; a screen's one primary action is 48, and 72 where a thumb presses it all day. */
const sizes = {
  ...{ tight: 'min-h-11 px-2', md: 'min-h-11 px-4', lg: 'min-h-12 px-6', xl: 'min-h-16 px-6' },
  thumb: 'min-h-12 px-6 pointer-coarse:min-h-18',
}

type ButtonLook = keyof typeof looks

const shape =
  'inline-flex items-center justify-center gap-2 rounded-md text-base font-semibold select-none disabled:border disabled:border-line disabled:bg-sunken disabled:text-muted'

const oneLine = 'shrink-0 whitespace-nowrap'

type Props = {
  children: ReactNode
  variant?: ButtonLook
  /** Defaults to the larger one for the primary action. */
  size?: keyof typeof sizes
  icon?: ReactNode
  /** While true the button keeps the focus, ignores presses and shows `busyText`. */
  busy?: boolean | undefined
  busyText?: string
  type?: 'button' | 'submit'
  /** The id of the form it submits, where it stands outside of it. */
  form?: string
  isDisabled?: boolean | undefined
  wide?: boolean
  /** Where its text may go on in another line. */
  wraps?: boolean
  /** Called without the event. */
  onPress?: (() => void) | undefined
  /** The tooltip. */
  title?: string
  'aria-label'?: string
  'aria-expanded'?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button(props: Props) {
  const { variant = 'secondary', size, icon, busy = false, busyText, wide, wraps, children, ...rest } = props
  const { type = 'button', isDisabled, onPress, ...plain } = rest
  const extent = sizes[size ?? (variant === 'primary' ? 'lg' : 'md')]
  return (
    <button
      {...plain}
      // Not `disabled` while busy: that would lose the focus.
      type={busy ? 'button' : type}
      disabled={isDisabled}
      aria-disabled={busy || undefined}
      data-primary={variant === 'primary' || undefined}
      onClick={() => !busy && onPress?.()}
      className={`${shape} ${looks[variant]} ${extent} ${wide ? 'w-full' : ''} ${wraps ? 'min-w-0 leading-5 wrap-anywhere' : oneLine}`}
    >
      {busy ? <SpinnerMark /> : icon}
      {busy && busyText ? busyText : children}
    </button>
  )
}

type LinkProps = Pick<Props, 'children' | 'icon'> & {
  variant?: ButtonLook
  href: string
  target?: '_blank'
  /** The browser fetches the file itself; the server names it. */
  download?: boolean
}

/** A button's look for what the browser opens or fetches by itself. */
export const ButtonLink = ({ variant = 'secondary', icon, children, ...rest }: LinkProps) => (
  <a {...rest} className={`${shape} ${oneLine} ${looks[variant]} ${sizes.lg}`}>
    {icon}
    {children}
  </a>
)

type IconButtonProps = {
  /** Read aloud, and shown as the tooltip. */
  label: string
  icon: ReactNode
  onPress: () => void
  tone?: 'plain' | 'brand' | 'bad' | 'header'
  isDisabled?: boolean | undefined
  'aria-expanded'?: boolean
  'aria-controls'?: string
  ref?: Ref<HTMLButtonElement>
}

const tones = {
  plain: 'text-muted hover:bg-hover hover:text-ink',
  brand: 'text-brand-ink hover:bg-brand-soft',
  bad: 'text-bad-ink hover:bg-bad-soft',
  header: 'text-header-ink hover:bg-header-raised focus-visible:outline-header-focus',
}

export function IconButton({ label, icon, onPress, tone = 'plain', isDisabled, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      title={label}
      aria-label={label}
      disabled={isDisabled}
      onClick={onPress}
      className={`inline-flex size-11 shrink-0 items-center justify-center rounded-md disabled:opacity-50 ${tones[tone]}`}
    >
      {icon}
    </button>
  )
}
