type Props = { label: string; description?: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** On or off, at once. */
export const SwitchField = ({ label, description, isOn, onChange }: Props) => (
  <label className="group relative flex min-h-12 cursor-pointer items-center justify-between gap-4 rounded-md has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
    <input
      type="checkbox"
      role="switch"
      aria-checked={isOn}
      checked={isOn}
      onChange={(event) => onChange(event.target.checked)}
      className="sr-only"
    />
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
        className="flex h-8 w-14 items-center rounded-full border border-edge bg-sunken p-1 transition-colors group-has-checked:border-brand group-has-checked:bg-brand"
      >
        <span className="size-5 rounded-full bg-edge transition-transform group-has-checked:translate-x-6 group-has-checked:bg-white" />
      </span>
    </span>
  </label>
)
