import { Merge, Save } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isUltrasonic, type Junction, type JunctionDetails } from '../../../contract/junctions.ts'
import { junctionPercent, junctionQuantityBounds } from '../../../domain/acts/junction-balance.ts'
import { emptyJunctionForm, type JunctionForm as Typed } from '../../../domain/acts/junctions.ts'
import { forceLimit } from '../../../domain/acts/order-limits.ts'
import { correctQuantity, gaugeText, machineIdIn, machineText } from '../../../domain/acts/recording-form.ts'
import { settleJunction } from '../../../domain/quality/junction-samples.ts'
import { readNumber } from '../../../domain/text/numbers.ts'
import { dropOldDrafts, useDraft } from '../../acts/drafts.ts'
import { junctionDraft } from '../../acts/junctions.ts'
import { kinds } from '../../acts/kinds.ts'
import type { JunctionHere } from '../../acts/queue-db.ts'
import { showToast } from '../../device/toasts.ts'
import { MeasuringRoom } from '../../forms/MeasuringRoom.tsx'
import { useWorkForm } from '../../forms/useWorkForm.ts'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { CallAtWork } from '../../parts/calls/CallAtWork.tsx'
import { Fact } from '../../parts/fields/fields.tsx'
import { JunctionFields } from '../../parts/fields/JunctionFields.tsx'
import { useSeenCorrection } from '../../parts/fields/useSeenCorrection.ts'
import { OthersDraft } from '../../parts/OthersDraft.tsx'
import { Denied, useMay } from '../../parts/permissions.tsx'
import { RecordedBy } from '../../parts/RecordedBy.tsx'
import { RecordingStatus } from '../../parts/RecordingStatus.tsx'
import { Refused } from '../../parts/Refused.tsx'
import { ScanLine } from '../../parts/scanner/useFormScans.tsx'
import { isReading } from '../../parts/scanner/useScanner.ts'
import { MachineSelector } from '../../parts/selectors/MachineSelector.tsx'
import { useSettings } from '../../parts/settings.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { useJunctionPlan } from './junction-plan.ts'
import { useJunctionScans } from './scanning.ts'

type Props = JunctionHere & {
  /** As the address has it. */
  place: { branch: string; order: string; junction: string }
  recordedAt: number
  details: JunctionDetails
  isDialogOpen: boolean
  onDialog: (isOpen: boolean) => void
}

function useJunctionDraft(key: string, recordedAt: number) {
  useEffect(() => dropOldDrafts(junctionDraft), [])
  const { forms, change, correct, hold, stepsOf, others } = useDraft<{ form: Typed }>({
    key,
    fresh: { form: emptyJunctionForm },
    recordedAt: () => recordedAt,
    nextOf: { form: () => emptyJunctionForm },
    unmeasured: (_, form) => ({ ...form, force: '', height: '', samples: undefined }),
    isReading,
  })
  return {
    form: forms.form,
    change: (apply: (form: Typed) => Typed) => change('form', apply),
    type: (fields: Partial<Typed>) => change('form', (before) => ({ ...before, ...fields })),
    /** As `type`, where no more is typed into it. */
    fill: (fields: Partial<Typed>) => change('form', (before) => settleJunction({ ...before, ...fields })),
    settle: () => correct('form', settleJunction),
    hold,
    others,
    steps: stepsOf('form'),
  }
}

/** Those that the form opens itself. */
function useDialogs({ place, onDialog }: Pick<Props, 'place' | 'onDialog'>, type: (fields: Partial<Typed>) => void) {
  const [isPicking, setPicking] = useState(false)
  const [measuring, setMeasuring] = useState<{ instrument: string } | null>(null)
  const pickMachine = (isOpen: boolean) => {
    setPicking(isOpen)
    onDialog(isOpen)
  }
  const picker = isPicking && (
    <MachineSelector
      branch={place.branch}
      type="juncao"
      onSelect={(machine) => {
        type({ machine: machineText(machine) })
        pickMachine(false)
      }}
      onClose={() => pickMachine(false)}
    />
  )
  return {
    picker,
    pickMachine,
    measuring,
    onMeasuring: (opened: { instrument: string } | null) => {
      setMeasuring(opened)
      onDialog(opened !== null)
    },
  }
}

type WorkProps = Pick<Props, 'place' | 'junction' | 'onDialog'> & {
  forceMin: number | null
  judge: ReturnType<typeof useJunctionPlan>['judge']
  /** False when this very press corrected something: the next one registers it. */
  isSeen: () => boolean
}
type Scanning = ReturnType<typeof useJunctionScans>
type Steps = ReturnType<typeof useJunctionDraft>['steps']

function useJunctionWork({ place, junction, forceMin, ...on }: WorkProps, scanning: Scanning, steps: Steps) {
  const { form } = scanning
  const { forceUnit, timeZone } = useSettings()
  const work = useWorkForm(kinds.junction, {
    place,
    factsOf: () => {
      const { gate } = on.judge()
      return {
        force: form.force,
        forceLimit: forceLimit(form.force, forceMin, forceUnit),
        plan: gate && { facts: gate, place: placeOfRelease(place, junction, form) },
      }
    },
    withAnswers: (pressed, answers) => ({ ...pressed, form: { ...pressed.form, ...answers } }),
    onPressed: (_, isComplete) => isComplete || scanning.onMissed(),
    onDialog: on.onDialog,
  })
  const register = () => {
    if (on.isSeen()) void work.register({ ...place, junction, form, timeZone }, withNote(steps, scanning.onSaved))
  }
  return { work, register }
}

export function JunctionForm({ place, junction, here, recordedAt, details, isDialogOpen, onDialog }: Props) {
  const draft = useJunctionDraft(junctionDraft.keyOf(place), recordedAt)
  const { form: typed, type, steps } = draft
  const corrections = useQuantityCorrection(junction, typed, type)
  const { picker, pickMachine, measuring, onMeasuring } = useDialogs({ place, onDialog }, type)
  const scanning = useJunctionScans({ ...draft, place, junction, details, isDialogOpen, onMeasuring })
  const { root, cursor, form, isOpen } = scanning
  const forceMin = details.teste?.ZTB_FORCA ?? null
  const plan = useJunctionPlan({ place, junction, here, details, form })
  const workProps = { place, junction, forceMin, judge: plan.judge, isSeen: corrections.isSeen, onDialog }
  const { work, register } = useJunctionWork(workProps, scanning, steps)
  return (
    <div ref={root} {...cursor.rootProps} className="flex flex-col gap-4">
      <OthersDraft of={draft.others} />
      <ScanLine scans={scanning.scans} hint="Leia o lote ou a máquina." partName={() => 'Junção'} />
      <div data-part="form">
        <Section
          title="Apontamento de junção"
          icon={<Merge {...icon.md} className="rotate-90" />}
          action={<CallHere place={place} machine={form.machine} onDialog={onDialog} />}
          badge={<CompletionBadge percent={junctionPercent(junction)} />}
        >
          <div className="flex flex-col gap-4">
            <RecordingStatus
              complete={isOpen ? null : 'Esta junção já está 100% apontada.'}
              onWay={junction.aguardandoErp}
              here={here}
            />
            <Expected junction={junction} test={details.teste} />
            <div className="grid grid-cols-1 items-start gap-4 @lg:grid-cols-2 @4xl:grid-cols-3">
              <JunctionFields
                form={form}
                isWelded={isUltrasonic(junction.Z8_GRUPOMP)}
                isDisabled={!isOpen}
                piecesMax={junctionQuantityBounds(junction).max}
                onLeaveQuantity={corrections.onLeaveField}
                onPickMachine={() => pickMachine(true)}
                forceMin={forceMin}
                verdicts={plan.judge().verdicts}
                onLeaveLot={draft.settle}
                {...withRefusals(scanning.fields, type, work)}
              >
                <JunctionMeasuring {...{ plan, draft, measuring }} isDisabled={!isOpen} onOpen={scanning.onMeasuring} />
              </JunctionFields>
            </div>
            <RegisterButton
              refusal={work.refusalAt('form', null)}
              corrections={corrections}
              isBusy={work.isBusy('form')}
              isOpen={isOpen}
              onPress={register}
            />
          </div>
          {work.dialog}
          {picker}
        </Section>
      </div>
    </div>
  )
}

/** The place of work and the pieces that a release would be good for. */
const placeOfRelease = ({ branch, order }: Props['place'], { Z8_POSICAO }: Junction, { quantity }: Typed) => ({
  ...{ filial: branch, posicao: Z8_POSICAO, ordem: order, parte: 'juncao' as const, pecas: readNumber(quantity) },
})

type MeasuringProps = {
  plan: ReturnType<typeof useJunctionPlan>
  draft: ReturnType<typeof useJunctionDraft>
  isDisabled: boolean
  measuring: { instrument: string } | null
  onOpen: Scanning['onMeasuring']
}

function JunctionMeasuring({ plan, draft, isDisabled, measuring, onOpen }: MeasuringProps) {
  const { forceUnit } = useSettings()
  const { here, work, judge } = plan
  return (
    <MeasuringRoom<Typed>
      {...{ here, work, planHere: judge().planHere, forceUnit, isDisabled, onOpen }}
      span="@4xl:col-span-3 @4xl:min-h-16"
      name="junção"
      opened={measuring}
      change={draft.change}
      filled={(before, texts) => ({ ...before, ...texts, sampledLot: before.lot })}
    />
  )
}

function CallHere({ place, machine, onDialog }: Pick<Props, 'place' | 'onDialog'> & { machine: string }) {
  const { branch, order, junction } = place
  const at = { machine: machineIdIn(machine), tool: '', order, barcode: '', side: '' as const, junction }
  return <CallAtWork branch={branch} place={at} name={`junção ${junction}`} onOpenChange={onDialog} />
}

type Recorder = Pick<ReturnType<typeof useWorkForm>, 'refusalAt' | 'forgetRefusal'>

/** What was refused is said at its field, until something is changed. */
const withRefusals = (
  fields: ReturnType<typeof useJunctionScans>['fields'],
  type: (fields: Partial<Typed>) => void,
  recorder: Recorder,
) => ({
  ...fields,
  missing: (field: string) => fields.missing(field) ?? recorder.refusalAt('form', field),
  onChange: (changed: Partial<Typed>) => {
    recorder.forgetRefusal('form')
    type(changed)
  },
})

/** Beside what the form does itself once it is on disk. */
const withNote = <Steps extends { onSaved: () => void }>(steps: Steps, note: () => void): Steps => ({
  ...steps,
  onSaved: () => {
    steps.onSaved()
    note()
  },
})

/** Brings the quantity within its bounds, with a warning. */
const useQuantityCorrection = (junction: Junction, form: Typed, type: (fields: Partial<Typed>) => void) =>
  useSeenCorrection<void>(() => {
    // nobody has typed anything: it is asked for when the operator registers
    if (form.quantity === '') return false
    const { text, warning } = correctQuantity(form.quantity, junctionQuantityBounds(junction))
    if (text !== form.quantity) type({ quantity: text })
    if (warning) showToast({ kind: 'warning', text: warning })
    return warning !== null
  })

type RegisterProps = {
  corrections: ReturnType<typeof useQuantityCorrection>
  isBusy: boolean
  isOpen: boolean
  onPress: () => void
  refusal: string | undefined
}

/** The press takes the focus from a field, which may correct it: what came before that has been seen. */
function RegisterButton({ corrections, isBusy, isOpen, onPress, refusal }: RegisterProps) {
  const mayRecord = useMay('record')
  return (
    <div
      className="@3xl:ml-auto @3xl:w-64"
      onPointerDownCapture={corrections.onPressStart}
      onKeyDownCapture={corrections.onPressStart}
    >
      <Refused text={refusal} />
      <Denied permission="record" />
      <Button
        variant="primary"
        wide
        icon={<Save {...icon.md} />}
        busy={isBusy}
        busyText="Registrando..."
        isDisabled={(!isOpen || !mayRecord) && !isBusy}
        onPress={onPress}
      >
        Registrar
      </Button>
      <RecordedBy />
    </div>
  )
}

/** What is joined here, and what the pull test will ask of it. */
function Expected({ junction, test }: Pick<Props, 'junction'> & { test: JunctionDetails['teste'] }) {
  const { forceUnit } = useSettings()
  const force = test?.ZTB_FORCA
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <Fact label="Código do terminal">{junction.Z8_TERMINA}</Fact>
      <Fact label="Grupo MP">{junction.Z8_GRUPOMP}</Fact>
      <Fact label="Peças">{formatCount(junction.Z8_QTDPECA)}</Fact>
      <Fact label="Bitola do teste">{test?.ZTB_BITOLA.trim() ? `${gaugeText(test.ZTB_BITOLA)} mm²` : '-'}</Fact>
      <Fact label="Força esperada">
        {force === null || force === undefined ? '-' : `${force.toLocaleString('pt-BR')} ${forceUnit}`}
      </Fact>
    </dl>
  )
}
