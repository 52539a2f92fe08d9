import { Cable, CircleDot, Plug, Save } from 'lucide-react'
import type { CutItem, Part } from '../../../contract/items.ts'
import type { PartRecording } from '../../../domain/acts/finished-parts.ts'
import { forceLimit, heightLimit } from '../../../domain/acts/order-limits.ts'
import {
  type CableForm,
  completionPercent,
  defaultsOf,
  hasCableCode,
  type Measurement,
  machineIdIn,
  quantityBounds,
  quantityText,
  type RecordingForms,
  type SideForm,
  type SidePart,
  settleMeasurements,
} from '../../../domain/acts/recording-form.ts'
import { nameKey, sectionOf } from '../../../domain/acts/recordings.ts'
import { unsafeWarning, wearWarning } from '../../../domain/tools/crimp-counters.ts'
import { lifeNote } from '../../../domain/tools/tool-life.ts'
import type { FrozenCutCrimp, PressedItem } from '../../acts/cut-crimp.ts'
import type { FormChange } from '../../acts/drafts.ts'
import type { ItemHere } from '../../acts/queue-db.ts'
import type { useRecorder } from '../../acts/useRecorder.ts'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { CallAtWork, CallLoudly } from '../../parts/calls/CallAtWork.tsx'
import type { CursorControl } from '../../parts/fields/cursor.ts'
import { Fact, LotField, MeasurementField, PickField, QuantityField } from '../../parts/fields/fields.tsx'
import { useWear } from '../../parts/lookups/known.ts'
import { useMay } from '../../parts/permissions.tsx'
import { RecordedBy } from '../../parts/RecordedBy.tsx'
import { RecordingStatus } from '../../parts/RecordingStatus.tsx'
import { Refused } from '../../parts/Refused.tsx'
import { useSettings } from '../../parts/settings.ts'
import { formatCount } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { Section } from '../../ui/Page.tsx'
import { FinishedPart } from './FinishedPart.tsx'
import type { useItemPlan } from './item-plan.ts'
import { SideMeasuring } from './SideMeasuring.tsx'
import type { Measured } from './scanning.ts'

export type Pick = { kind: 'machine'; part: Part } | { kind: 'applicator' | 'station'; part: SidePart }

export type SectionProps = ItemHere & {
  forms: RecordingForms
  forceUnit: string
  /** How old the item's quantities are: 'segundo dados de 14:32'; undefined: the ERP has just said them. */
  age: string | undefined
  lotFor: (part: Part) => string | undefined
  /** What a field says that 'Registrar' has missed. */
  missing: (part: Part, field: string) => string | undefined
  change: FormChange<RecordingForms>
  /** As `change`, of what is being typed alone. */
  correct: FormChange<RecordingForms>
  /** Brings what was typed within its bounds, with a warning. */
  onLeaveField: (part: Part) => void
  judge: ReturnType<typeof useItemPlan>
  onPick: (pick: Pick) => void
  /** Which side is measured now, and with what; null: none. */
  measuring: Measured | null
  /** 'Medir' was pressed, or its dialog closes. */
  onMeasuring: (measured: Measured | null) => void
  /** The dialog that calls maintenance opens or closes. */
  onCalling: (isOpen: boolean) => void
  cursor: CursorControl<Part>
  register: RegisterControl
  /** Newest first. */
  recordingsOf: (part: Part) => readonly PartRecording[]
}

type Steps = NonNullable<Parameters<ReturnType<typeof useRecorder<FrozenCutCrimp, PressedItem>>['register']>[1]>

type RegisterControl = ReturnType<typeof useRecorder<FrozenCutCrimp, PressedItem>> & {
  isOpen: (part: Part) => boolean
  /** Nothing of it can be recorded any more. */
  isGone: boolean
  /** Nothing is left to do, and the answer to the last press has come. */
  isFinished: (part: Part) => boolean
  onPressStart: () => void
  /** False when this very press corrected something: the next one registers it. */
  isSeen: (part: Part) => boolean
  stepsOf: (part: Part) => Steps
}

const PartBadge = ({ item, part }: { item: CutItem; part: Part }) => (
  <CompletionBadge percent={completionPercent(item, part)} />
)

const PartStatus = ({ item, here, part }: ItemHere & { part: Part }) => (
  <RecordingStatus complete={null} onWay={item.aguardandoErp[part]} here={here[part]} />
)

const partNames: Record<Part, string> = { cabo: 'cabo', l1: 'lado 1', l2: 'lado 2' }

type RegisterButtonProps = PressedItem & { register: RegisterControl }

function RegisterButton({ part, item, forms, register }: RegisterButtonProps) {
  const isBusy = register.isBusy(part)
  const mayRecord = useMay('record')
  return (
    // The press takes the focus from a field, which may correct it: what came before that is another matter.
    <div onPointerDownCapture={register.onPressStart} onKeyDownCapture={register.onPressStart}>
      <Refused text={register.refusalAt(part, null)} />
      <Button
        variant="primary"
        wide
        icon={<Save {...icon.md} />}
        busy={isBusy}
        busyText="Registrando..."
        isDisabled={(register.isGone || !mayRecord || !register.isOpen(part)) && !isBusy}
        onPress={() => {
          if (register.isSeen(part)) void register.register({ item, part, forms }, register.stepsOf(part))
        }}
        {...(isBusy ? {} : { 'aria-label': `Registrar ${partNames[part]}` })}
      >
        Registrar
      </Button>
      <RecordedBy />
    </div>
  )
}

export function CableSection({ item, here, forms, change, onPick, cursor, register, ...props }: SectionProps) {
  const form = forms.cabo
  const isDisabled = !register.isOpen('cabo') || !hasCableCode(item)
  const patch = (fields: Partial<CableForm>) => change('cabo', (before) => ({ ...before, ...fields }))
  const head = { title: 'Cabo', icon: <Cable {...icon.md} /> }
  if (register.isFinished('cabo')) {
    const recordings = props.recordingsOf('cabo')
    return <FinishedPart {...head} item={item} here={here} part="cabo" recordings={recordings} />
  }
  return (
    <div data-part="cabo">
      <Section {...head} badge={<PartBadge item={item} part="cabo" />}>
        <div className="flex flex-col gap-4">
          <PartStatus item={item} here={here} part="cabo" />
          {!hasCableCode(item) && (
            <Alert kind="warning">
              O ERP não tem o código do cabo deste item: o corte não pode ser apontado. Avise o PCP.
            </Alert>
          )}
          <dl className="flex flex-wrap gap-x-8 gap-y-3">
            <Fact label="Código do cabo">{hasCableCode(item) ? item.Z1_CODCABO : 'Sem código no ERP'}</Fact>
            <Fact label="Descrição do cabo">{item.Z1_DESCABO}</Fact>
            <Fact label="Comprimento">{formatCount(item.Z1_COMPR)} mm</Fact>
          </dl>
          <div className="grid grid-cols-1 items-start gap-4 @2xl:grid-cols-2 @5xl:grid-cols-[1.2fr_1.6fr_1fr_auto]">
            <LotField
              value={form.lot}
              onChange={(lot) => patch({ lot })}
              isDisabled={isDisabled}
              cursor={cursor.of('cabo', 'lot')}
              error={props.missing('cabo', 'lot')}
              offered={props.lotFor('cabo')}
            />
            <PickField
              cursor={cursor.of('cabo', 'machine')}
              error={props.missing('cabo', 'machine')}
              isRemembered={form.isMachineRemembered}
              label="Máquina"
              placeholder="Selecione a máquina"
              pickLabel="Selecionar máquina do cabo"
              value={form.machine}
              onPick={() => onPick({ kind: 'machine', part: 'cabo' })}
              isDisabled={isDisabled}
            />
            <QuantityField
              cursor={cursor.of('cabo', 'quantity')}
              error={props.missing('cabo', 'quantity')}
              value={quantityText(form, item, 'cabo')}
              isTyped={form.quantity !== null}
              age={props.age}
              balancePieces={quantityBounds(item, 'cabo').max}
              onChange={(quantity) => patch({ quantity })}
              onBlur={() => props.onLeaveField('cabo')}
              isDisabled={isDisabled}
            />
            <div className="@2xl:pt-6">
              <RegisterButton part="cabo" item={item} forms={forms} register={register} />
            </div>
          </div>
        </div>
      </Section>
    </div>
  )
}

const sideNames = { l1: 'Lado 1', l2: 'Lado 2' } as const

type SidePartProps = SectionProps & { part: SidePart }
type CallingProps = { part: SidePart; item: CutItem; forms: RecordingForms; onCalling: SectionProps['onCalling'] }

function callAt({ part, item, forms }: CallingProps) {
  const { machine, applicator } = forms[part]
  const place = {
    machine: machineIdIn(machine),
    tool: applicator,
    order: item.Z1_OP,
    barcode: item.Z1_CODBAR,
    side: part === 'l1' ? ('1' as const) : ('2' as const),
    junction: '',
  }
  return { branch: item.Z1_FILIAL, item: item.Z1_ITEMEST, place }
}

const CallHere = (props: CallingProps) => (
  <CallAtWork {...callAt(props)} name={partNames[props.part]} onOpenChange={props.onCalling} />
)

/** Beside what says that its tool is not to be used. */
const CallAboutTool = (props: CallingProps) => (
  <CallLoudly {...callAt(props)} name={`ferramenta do ${partNames[props.part]}`} onOpenChange={props.onCalling} />
)

/** Terminal and seal of one end: one act, registered at its foot. */
export function SideSections({ part, ...props }: SidePartProps) {
  const { item, here, forms, register } = props
  const { terminal, seal } = sectionOf(item, part)
  const form = forms[part]
  const isDisabled = !register.isOpen(part)
  const head = { title: `Terminal ${sideNames[part]}`, icon: <Plug {...icon.md} /> }
  const noTerminal = <Section {...head} line={<p className="text-muted">Sem terminal neste lado</p>} />
  const action = <CallHere part={part} {...props} />
  if (!terminal && !seal) return noTerminal
  if (register.isFinished(part)) {
    return <FinishedPart {...head} item={item} here={here} part={part} recordings={props.recordingsOf(part)} />
  }
  return (
    <div data-part={part} className="@container flex flex-col gap-4">
      {terminal ? (
        <Section {...head} action={action} badge={<PartBadge item={item} part={part} />}>
          <TerminalFields part={part} {...props} terminal={terminal} />
        </Section>
      ) : (
        noTerminal
      )}
      <Later>
        <Section
          title={`Selo ${sideNames[part]}`}
          icon={<CircleDot {...icon.md} />}
          action={!terminal && action}
          badge={<PartBadge item={item} part={part} />}
        >
          <div className="flex flex-col gap-4">
            <div className="grid grid-cols-1 gap-x-3 gap-y-4 @sm:grid-cols-[6.5rem_minmax(0,1fr)]">
              <dl>
                <Fact label="Selo">{seal}</Fact>
              </dl>
              <PickField
                cursor={props.cursor.of(part, 'station')}
                label={seal ? 'Seladora' : 'Seladora (Selo não disponível)'}
                placeholder={seal ? 'Selecione a seladora' : ''}
                pickLabel={`Selecionar seladora do ${partNames[part]}`}
                value={form.station}
                onPick={() => props.onPick({ kind: 'station', part })}
                isDisabled={isDisabled || !seal}
              />
            </div>
            <RegisterButton part={part} item={item} forms={forms} register={register} />
          </div>
        </Section>
      </Later>
    </div>
  )
}

type TerminalProps = SidePartProps & { terminal: string }

function TerminalFields({ part, item, here, forms, forceUnit, change, onPick, ...props }: TerminalProps) {
  const { onLeaveField, register, cursor, correct, judge } = props
  const form = forms[part]
  const limits = defaultsOf(item, part)
  const judged = judge(part, forms)
  const verdicts = judged?.verdicts
  const isDisabled = !register.isOpen(part)
  const patch = (fields: Partial<SideForm>) => change(part, (before) => ({ ...before, ...fields }))
  const settle = (fields: Partial<SideForm>) => change(part, (before) => settleMeasurements({ ...before, ...fields }))
  const measurement = (value: Measurement, onChange: (value: Measurement) => void) => ({
    ...{ value, onChange, isDisabled },
    onBlur: () => onLeaveField(part),
  })
  return (
    <div className="grid grid-cols-1 items-start gap-4 @sm:grid-cols-2">
      <div className="@sm:col-span-2 empty:hidden">
        <PartStatus item={item} here={here} part={part} />
      </div>
      <dl className="@sm:min-h-18">
        <Fact label="Terminal">{props.terminal}</Fact>
      </dl>
      <LotField
        cursor={cursor.of(part, 'lot')}
        error={props.missing(part, 'lot')}
        offered={props.lotFor(part)}
        value={form.lot}
        onChange={(lot) => patch({ lot })}
        onBlur={() => form.lot !== '' && correct(part, settleMeasurements)}
        isDisabled={isDisabled}
      />
      <MeasurementField
        cursor={cursor.of(part, 'force')}
        error={props.missing(part, 'force')}
        limit={forceLimit(form.force.text, limits.pullForceMin, forceUnit)}
        label={`Força de extração (${forceUnit})`}
        placeholder="Digite a força"
        decimals={0}
        verdict={verdicts?.force}
        {...measurement(form.force, (force) => settle({ force }))}
      />
      <MeasurementField
        cursor={cursor.of(part, 'height')}
        error={props.missing(part, 'height')}
        limit={heightLimit(form.height.text, limits.crimpHeightMm)}
        label="Altura de crimpagem (mm)"
        placeholder="Digite a altura"
        decimals={3}
        verdict={verdicts?.height}
        {...measurement(form.height, (height) => settle({ height }))}
      />
      {judged && <SideMeasuring {...props} {...{ part, judged, forceUnit, isDisabled, change }} />}
      <Later>
        <ToolFields {...{ part, item, forms, onPick, isDisabled }} {...props} />
        <div className="@sm:col-span-2">
          <QuantityField
            cursor={cursor.of(part, 'quantity')}
            error={props.missing(part, 'quantity')}
            value={quantityText(form, item, part)}
            isTyped={form.quantity !== null}
            age={props.age}
            balancePieces={quantityBounds(item, part).max}
            onChange={(quantity) => patch({ quantity })}
            onBlur={() => onLeaveField(part)}
            isDisabled={isDisabled}
          />
        </div>
      </Later>
    </div>
  )
}

type ToolProps = CallingProps & {
  cursor: SectionProps['cursor']
  onPick: SectionProps['onPick']
  missing: SectionProps['missing']
  isDisabled: boolean
}

/** Open pieces: of both sides where one tool is chosen for both. */
const piecesOfTool = (item: CutItem, forms: RecordingForms, part: SidePart): number =>
  (['l1', 'l2'] as const)
    .filter((side) => nameKey(forms[side].applicator) === nameKey(forms[part].applicator))
    .reduce((sum, side) => sum + quantityBounds(item, side).max, 0)

/** What crimps. */
function ToolFields({ part, item, forms, cursor, onPick, onCalling, missing, isDisabled }: ToolProps) {
  const form = forms[part]
  const { limitWarningPercent } = useSettings()
  const worn = useWear()(form.applicator)
  const unsafe = worn && unsafeWarning(worn)
  return (
    <>
      <div className="@sm:col-span-2">
        <PickField
          cursor={cursor.of(part, 'applicator')}
          error={missing(part, 'applicator') ?? unsafe ?? (worn && wearWarning(worn))}
          note={worn && lifeNote(worn, piecesOfTool(item, forms, part), limitWarningPercent)}
          label="Mini aplicador"
          placeholder="Selecione o mini aplicador"
          pickLabel={`Selecionar mini aplicador do ${partNames[part]}`}
          value={form.applicator}
          onPick={() => onPick({ kind: 'applicator', part })}
          isDisabled={isDisabled}
        />
        {unsafe && <CallAboutTool part={part} item={item} forms={forms} onCalling={onCalling} />}
      </div>
      <div className="@sm:col-span-2">
        <PickField
          cursor={cursor.of(part, 'machine')}
          error={missing(part, 'machine')}
          isRemembered={form.isMachineRemembered}
          label="Máquina"
          placeholder="Selecione a máquina"
          pickLabel={`Selecionar máquina do ${partNames[part]}`}
          value={form.machine}
          onPick={() => onPick({ kind: 'machine', part })}
          isDisabled={isDisabled}
        />
      </div>
    </>
  )
}
