import { Cable, CircleDot, Plug } from 'lucide-react'
import type { CutItem, Part } from '../../../contract/items.ts'
import type { PartRecording } from '../../../domain/acts/finished-parts.ts'
import { nameKey, sectionOf } from '../../../domain/acts/recordings.ts'
import { quantityBounds } from '../../../domain/forms/form-edits.ts'
import { type Field, formFields, isMeasuredWith } from '../../../domain/forms/form-fields.ts'
import {
  completionPercent,
  hasCableCode,
  isSectionOpen,
  type RecordingForms,
  type SidePart,
} from '../../../domain/forms/recording-form.ts'
import { unsafeWarning, wearWarning } from '../../../domain/tools/crimp-counters.ts'
import { lifeNote } from '../../../domain/tools/tool-life.ts'
import type { ItemHere } from '../../acts/waiting-list.ts'
import { MeasuringRoom } from '../../forms/MeasuringRoom.tsx'
import { RegisterButton } from '../../forms/RegisterButton.tsx'
import { WorkFields } from '../../forms/WorkFields.tsx'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { CallAtWork, CallLoudly } from '../../parts/calls/CallAtWork.tsx'
import { callPlaceOf } from '../../parts/calls/calls.ts'
import { Fact } from '../../parts/fields/fields.tsx'
import { useWear } from '../../parts/lookups/known.ts'
import { RecordingStatus } from '../../parts/RecordingStatus.tsx'
import { ScrapAtWork } from '../../parts/scraps/ScrapAtWork.tsx'
import type { ScrapWork } from '../../parts/scraps/work.ts'
import { useSettings } from '../../parts/settings.ts'
import { formatCount } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { Section } from '../../ui/Page.tsx'
import { FinishedPart } from './FinishedPart.tsx'
import type { useItemWork } from './item-work.ts'

export type SectionProps = ItemHere & {
  work: ReturnType<typeof useItemWork>['work']
  /** Nothing of it can be recorded any more. */
  isGone: boolean
  /** The dialog that calls maintenance opens or closes. */
  onCalling: (isOpen: boolean) => void
  /** Newest first. */
  recordingsOf: (part: Part) => readonly PartRecording[]
}

/** Nothing is left to do, and the answer to the last press has come. */
const isFinished = ({ item, work }: SectionProps, part: Part) => !isSectionOpen(item, part) && !work.isOnWay(part)

const PartBadge = ({ item, part }: { item: CutItem; part: Part }) => (
  <CompletionBadge percent={completionPercent(item, part)} />
)

export const partNames: Record<Part, string> = { cabo: 'Cabo', l1: 'Lado 1', l2: 'Lado 2' }
const nameOf = (part: Part) => partNames[part].toLowerCase()

type ScrapRowProps = Pick<SectionProps, 'item' | 'here' | 'work'> & { part: Part; look?: string }

/** Pieces thrown away, and beside them those on their way: these come and go by themselves, and nothing moves then. */
const ScrapRow = ({ part, item, here, work, look = '' }: ScrapRowProps) => (
  <div className={`flex flex-wrap items-center gap-x-6 ${look}`}>
    <ScrapAtWork work={scrapWork(item, part, work.forms)} name={nameOf(part)} {...work.scrapOf(part)} />
    <RecordingStatus onWay={item.aguardandoErp[part]} here={here[part]} />
  </div>
)

type RegisterProps = Pick<SectionProps, 'item' | 'isGone' | 'work'> & { part: Part }

const Register = ({ part, item, isGone, work }: RegisterProps) => (
  <RegisterButton {...{ part, work, name: nameOf(part) }} isOpen={!isGone && isSectionOpen(item, part)} />
)

function scrapWork(item: CutItem, part: Part, forms: RecordingForms): ScrapWork {
  const { machine, lot } = forms[part]
  const { applicator: tool, samples } = part === 'cabo' ? { applicator: '', samples: undefined } : forms[part]
  return {
    ...{ branch: item.Z1_FILIAL, order: item.Z1_OP, barcode: item.Z1_CODBAR, junction: '', part },
    ...{ machine, tool, lot, samples, ordered: item.Z1_QUANT },
  }
}

export function CableSection(props: SectionProps) {
  const { item, here, work } = props
  const head = { title: 'Cabo', icon: <Cable {...icon.md} /> }
  if (isFinished(props, 'cabo')) {
    return (
      <FinishedPart {...head} item={item} part="cabo" recordings={props.recordingsOf('cabo')}>
        <ScrapRow {...{ part: 'cabo', item, here, work }} />
      </FinishedPart>
    )
  }
  return (
    <div data-part="cabo">
      <Section {...head} badge={<PartBadge item={item} part="cabo" />}>
        <div className="flex flex-col gap-4">
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
          {/* side by side, the age of a balance takes a second line, and a late refusal three: their room is there */}
          <div className="grid grid-cols-1 items-start gap-4 @2xl:grid-cols-2 @5xl:min-h-35 @5xl:grid-cols-[1.2fr_1.6fr_1fr_auto]">
            <WorkFields
              {...work.controlOf('cabo', !isSectionOpen(item, 'cabo') || !hasCableCode(item))}
              fields={formFields.cable}
              of=" do cabo"
            />
            {/* 'Registrando...' is wider than 'Registrar' */}
            <div className="@2xl:pt-6" style={{ minWidth: '11.75rem' }}>
              <Register part="cabo" {...props} />
            </div>
          </div>
          <ScrapRow {...{ part: 'cabo', item, here, work }} look="-mt-4 @5xl:-mt-8" />
        </div>
      </Section>
    </div>
  )
}

type SidePartProps = SectionProps & { part: SidePart }
type CallingProps = { part: SidePart; item: CutItem; forms: RecordingForms; onCalling: SectionProps['onCalling'] }

function callAt({ part, item, forms }: CallingProps) {
  const { machine, applicator: tool } = forms[part]
  const place = callPlaceOf({ machine, tool, order: item.Z1_OP, barcode: item.Z1_CODBAR, part, junction: '' })
  return { branch: item.Z1_FILIAL, item: item.Z1_ITEMEST, place }
}

const CallHere = (props: CallingProps) => (
  <CallAtWork {...callAt(props)} name={nameOf(props.part)} onOpenChange={props.onCalling} />
)

/** Beside what says that its tool is not to be used. */
const CallAboutTool = (props: CallingProps) => (
  <CallLoudly {...callAt(props)} name={`ferramenta do ${nameOf(props.part)}`} onOpenChange={props.onCalling} />
)

/** Terminal and seal of one end: one act, registered at its foot. */
export function SideSections({ part, ...props }: SidePartProps) {
  const { item, here, work, onCalling } = props
  const { terminal, seal } = sectionOf(item, part)
  const head = { title: `Terminal ${partNames[part]}`, icon: <Plug {...icon.md} /> }
  const noTerminal = <Section {...head} line={<p className="text-muted">Sem terminal neste lado</p>} />
  const action = <CallHere {...{ part, item, forms: work.forms, onCalling }} />
  if (!terminal && !seal) return noTerminal
  if (isFinished(props, part)) {
    return (
      <FinishedPart {...head} {...{ item, part }} recordings={props.recordingsOf(part)}>
        <ScrapRow {...{ part, item, here, work }} />
      </FinishedPart>
    )
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
          title={`Selo ${partNames[part]}`}
          icon={<CircleDot {...icon.md} />}
          action={!terminal && action}
          badge={<PartBadge item={item} part={part} />}
        >
          <div className="flex flex-col gap-4">
            <div className="grid grid-cols-1 gap-x-3 gap-y-4 @sm:grid-cols-[6.5rem_minmax(0,1fr)]">
              <dl>
                <Fact label="Selo">{seal}</Fact>
              </dl>
              <WorkFields
                {...work.controlOf(part, !isSectionOpen(item, part))}
                fields={formFields.side.filter(isOfSeal)}
                of={` do ${nameOf(part)}`}
                {...(seal ? {} : { about: { station: { label: 'Seladora (Selo não disponível)' } } })}
              />
            </div>
          </div>
        </Section>
        <div className="bottom-0 z-10 bg-page py-2 pointer-coarse:sticky">
          <Register part={part} {...props} />
          <ScrapRow {...{ part, item, here, work }} />
        </div>
      </Later>
    </div>
  )
}

const isOfSeal = ({ name }: Field) => name === 'station'

function TerminalFields({ part, terminal, item, work, onCalling }: SidePartProps & { terminal: string }) {
  const isDisabled = !isSectionOpen(item, part)
  const control = { ...work.controlOf(part, isDisabled), of: ` do ${nameOf(part)}` }
  const calling = { part, item, forms: work.forms, onCalling }
  const about = { applicator: useAboutTool(calling) }
  return (
    <div className="grid grid-cols-1 items-start gap-4 @sm:grid-cols-2 @3xl:grid-cols-4">
      <dl className="@sm:min-h-18">
        <Fact label="Terminal">{terminal}</Fact>
      </dl>
      <WorkFields {...control} fields={formFields.side.filter(isMeasuredWith)} />
      <MeasuringRoom
        {...work.measuringOf(part)}
        {...{ isDisabled, name: nameOf(part) }}
        span="col-span-full @sm:min-h-16"
      />
      <div className="col-span-full grid items-start gap-4 empty:hidden @3xl:min-h-30 @3xl:grid-cols-3">
        <Later>
          <WorkFields
            {...{ ...control, about }}
            fields={formFields.side.filter((field) => !isMeasuredWith(field) && !isOfSeal(field))}
            span="min-w-0"
          />
        </Later>
      </div>
    </div>
  )
}

/** Open pieces: of both sides where one tool is chosen for both. */
const piecesOfTool = (item: CutItem, forms: RecordingForms, part: SidePart): number =>
  (['l1', 'l2'] as const)
    .filter((side) => nameKey(forms[side].applicator) === nameKey(forms[part].applicator))
    .reduce((sum, side) => sum + quantityBounds(item, side).max, 0)

/** Wear of what crimps. */
function useAboutTool({ part, item, forms, onCalling }: CallingProps) {
  const { limitWarningPercent } = useSettings()
  const worn = useWear()(forms[part].applicator)
  const unsafe = worn && unsafeWarning(worn)
  const note = worn && lifeNote(worn, piecesOfTool(item, forms, part), limitWarningPercent)
  return {
    error: unsafe ?? (worn && wearWarning(worn)),
    note: note && <span className={note.isSoon ? 'font-medium text-warn-ink' : ''}>{note.text}</span>,
    below: unsafe && <CallAboutTool {...{ part, item, forms, onCalling }} />,
  }
}
