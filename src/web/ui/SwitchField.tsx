import { Switch } from 'react-aria-components'

type Props = { label: string; description?: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** On or off, at once. */
export const SwitchField = ({ label, description, isOn, onChange }: Props) => (
  <Switch
    isSelected={isOn}
    onChange={onChange}
    className="group flex min-h-12 cursor-pointer items-center justify-between gap-4 rounded-md data-focus-visible:outline-3 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus"
  >
    <span className="min-w-0">
      <span className="block font-semibold">{label}</span>
      {description && <span className="block text-sm text-muted">{description}</span>}
    </span>
    <span className="flex shrink-0 items-center gap-2">
      <span aria-hidden className="text-sm font-semibold text-muted">
        {isOn ? 'Ligado' : 'Desligado'}
      </span>
      <span
        aria-hidden
        className="flex h-8 w-14 items-center rounded-full border border-edge bg-sunken p-1 transition-colors group-data-selected:border-brand group-data-selected:bg-brand"
      >
        <span className="size-5 rounded-full bg-edge transition-transform group-data-selected:translate-x-6 group-data-selected:bg-white" />
      </span>
    </span>
  </Switch>
)
