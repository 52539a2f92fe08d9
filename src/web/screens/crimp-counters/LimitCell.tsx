import { Check, Infinity as InfinityIcon, Pencil, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import { type CrimpCounter, UNLIMITED } from '../../../contract/crimp-counters.ts'
import { refusals } from '../../../contract/errors.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { SpinnerMark } from '../../ui/Spinner.tsx'
import { Limit } from './Limit.tsx'
import type { LimitEdit } from './limit-edits.ts'
import { limitText } from './limits.ts'

type Props = {
  unit: CrimpCounter
  warningPercent: number
  edit: LimitEdit | undefined
  onOpen: () => void
  onType: (typed: string) => void
  onSave: () => void
  onCancel: () => void
  onReload: () => void
}

/** The limit, and the box in its place once the pencil was pressed. */
export function LimitCell({ unit, warningPercent, edit, onOpen, ...acts }: Props) {
  const pencil = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const isOpen = edit !== undefined
  useEffect(() => {
    // Only where the box took the focus with it: somebody may be working elsewhere by now.
    if (!isOpen && wasOpen.current && document.activeElement === document.body) pencil.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (edit) return <LimitBox unit={unit} edit={edit} {...acts} />
  return (
    <span className="inline-flex items-center gap-1">
      <Limit unit={unit} warningPercent={warningPercent} />
      <IconButton
        ref={pencil}
        label={`Alterar limite de ${unit.miniaplicator}`}
        tone="brand"
        icon={<Pencil {...icon.md} />}
        onPress={onOpen}
      />
    </span>
  )
}

type BoxProps = Omit<Props, 'edit' | 'onOpen' | 'warningPercent'> & { edit: LimitEdit }

function LimitBox({ unit, edit, onType, onSave, onCancel, onReload }: BoxProps) {
  const { miniaplicator } = unit
  const box = useRef<HTMLInputElement>(null)
  // Opened by a person, not when a long list draws the row anew or a reload brings back what was typed.
  const isOpened = useEffectEvent(() => !edit.isRestored && document.activeElement === document.body)
  useEffect(() => {
    if (!isOpened()) return
    box.current?.focus()
    box.current?.select()
  }, [])
  const hear = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // The same Enter would press the pencil that takes the focus.
    event.preventDefault()
    if (event.key === 'Enter') onSave()
    else onCancel()
  }
  const setUnlimited = () => {
    onType(String(UNLIMITED))
    box.current?.focus()
  }
  const currentId = `limite-atual-${encodeURIComponent(miniaplicator)}`
  const problemId = `limite-${encodeURIComponent(miniaplicator)}`
  const problem = edit.problem ?? edit.failure ?? (edit.isChanged ? refusals.changed_meanwhile.message : null)
  return (
    <span className="inline-flex flex-col items-end gap-1">
      <span className="inline-flex flex-wrap items-center justify-end gap-2 lg:flex-nowrap">
        <input
          ref={box}
          aria-label={`Novo limite de ${miniaplicator}`}
          aria-invalid={problem !== null}
          aria-describedby={problem ? `${currentId} ${problemId}` : currentId}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={edit.typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={hear}
          className="code min-h-11 w-37 rounded-md border border-edge bg-surface px-3 text-right text-lg font-medium text-ink aria-invalid:border-bad-fill aria-invalid:bg-bad-soft"
        />
        <IconButton
          label={`Deixar ${miniaplicator} ilimitado`}
          icon={<InfinityIcon {...icon.md} />}
          onPress={setUnlimited}
        />
        <IconButton
          label={`Salvar limite de ${miniaplicator}`}
          tone="brand"
          icon={edit.isBusy ? <SpinnerMark /> : <Check {...icon.md} />}
          onPress={onSave}
        />
        <IconButton label={`Cancelar limite de ${miniaplicator}`} icon={<X {...icon.md} />} onPress={onCancel} />
      </span>
      <span id={currentId} className="text-sm text-muted">
        Limite atual: {limitText(unit.limitOfCrimps)}
      </span>
      {problem && (
        <span id={problemId} role="alert" className="max-w-72 text-right text-sm font-medium text-bad-ink">
          {problem}
        </span>
      )}
      {edit.isChanged && <Button onPress={onReload}>Recarregar</Button>}
    </span>
  )
}
