import { useNavigate } from '@tanstack/react-router'
import { ArrowRight, CircleCheck, Merge } from 'lucide-react'
import type { JunctionDetails } from '../../../contract/junctions.ts'
import { junctionPercent } from '../../../domain/acts/junction-balance.ts'
import { formFields, isMeasuredWith } from '../../../domain/forms/form-fields.ts'
import { gaugeText } from '../../../domain/forms/recording-form.ts'
import { countText } from '../../../domain/text/numbers.ts'
import { MeasuringRoom } from '../../forms/MeasuringRoom.tsx'
import { RegisterButton } from '../../forms/RegisterButton.tsx'
import { WorkFields } from '../../forms/WorkFields.tsx'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { CallAtWork } from '../../parts/calls/CallAtWork.tsx'
import { callPlaceOf } from '../../parts/calls/calls.ts'
import { SuspectsAtWork } from '../../parts/containments/SuspectsAtWork.tsx'
import { Fact } from '../../parts/fields/fields.tsx'
import { OthersDraft } from '../../parts/OthersDraft.tsx'
import { Denied } from '../../parts/permissions.tsx'
import { RecordingStatus } from '../../parts/RecordingStatus.tsx'
import { ScanLine } from '../../parts/scanner/useFormScans.tsx'
import { ScrapAtWork } from '../../parts/scraps/ScrapAtWork.tsx'
import { useSettings } from '../../parts/settings.ts'
import { formatCount } from '../../text/format.ts'
import { junctionDetailsPath } from '../../text/links.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { type JunctionProps, useJunctionWork, useNextJunction } from './junction-work.ts'

export function JunctionForm(props: JunctionProps) {
  const { place, junction, here, details, dialogs } = props
  const { work, isOpen } = useJunctionWork(props)
  const control = work.controlOf('form', !isOpen)
  return (
    <div ref={work.root} {...work.cursor.rootProps} className="flex flex-col gap-4">
      <OthersDraft of={work.others} />
      <SuspectsAtWork place={{ branch: place.branch, barcode: '', order: place.order, position: place.junction }} />
      <ScanLine scans={work.scans} hint="Leia o lote ou a máquina." partName={() => 'Junção'}>
        <NextJunction place={place} isDone={!isOpen} />
      </ScanLine>
      <div data-part="form">
        <Section
          title="Apontamento de junção"
          icon={<Merge {...icon.md} className="rotate-90" />}
          action={
            <CallAtWork
              branch={place.branch}
              place={callPlaceOf({ ...place, machine: work.forms.form.machine, tool: '', barcode: '', part: 'juncao' })}
              name={`junção ${place.junction}`}
              onOpenChange={dialogs.setCalling}
            />
          }
          badge={<CompletionBadge percent={junctionPercent(junction)} />}
        >
          <div className="flex flex-col gap-4">
            {!isOpen && <DoneNote />}
            <Expected junction={junction} test={details.teste} />
            <div className="grid grid-cols-1 items-start gap-4 @lg:grid-cols-2 @4xl:grid-cols-3">
              <WorkFields {...control} fields={formFields.junction.filter(isMeasuredWith)} />
              <MeasuringRoom
                {...work.measuringOf('form')}
                span="@4xl:col-span-3 @4xl:min-h-16"
                name="junção"
                isDisabled={!isOpen}
              />
              <WorkFields {...control} fields={formFields.junction.filter((field) => !isMeasuredWith(field))} />
            </div>
            <div className="@3xl:ml-auto @3xl:w-64">
              <Denied permission="record" />
              <RegisterButton {...{ work, isOpen }} part="form" />
              <ScrapAtWork
                work={{
                  ...{
                    branch: place.branch,
                    order: place.order,
                    part: 'juncao',
                    barcode: '',
                    junction: junction.Z8_POSICAO,
                  },
                  ...{ machine: work.forms.form.machine, tool: '', lot: work.forms.form.lot },
                  ...{ ordered: junction.Z8_QTDPECA, samples: work.forms.form.samples },
                }}
                name={`junção ${place.junction}`}
                {...work.scrapOf('form')}
              />
            </div>
            <RecordingStatus onWay={junction.aguardandoErp} here={here} />
          </div>
          {work.dialog}
          {work.picker}
        </Section>
      </div>
    </div>
  )
}

const DoneNote = () => (
  <p className="flex items-center gap-2 text-sm font-medium text-ok-ink">
    <CircleCheck {...icon.sm} />
    Esta junção já está 100% apontada.
  </p>
)

function NextJunction({ place, isDone }: Pick<JunctionProps, 'place'> & { isDone: boolean }) {
  const { branch, order, junction } = place
  const navigate = useNavigate()
  const { next, isRead } = useNextJunction({ plant: branch, order }, junction, isDone)
  if (!isDone) return null
  // its place is there before the list of them is
  if (!next) return <p className="flex min-h-12 items-center text-muted">{isRead && 'Nenhuma outra junção aberta.'}</p>
  return (
    <Button
      variant="primary"
      wide
      icon={<ArrowRight {...icon.md} />}
      onPress={() => void navigate({ href: junctionDetailsPath(branch, order, next.Z8_POSICAO) })}
    >
      Próxima junção: {next.Z8_POSICAO}
    </Button>
  )
}

/** The joint, and the force its pull test will ask for. */
function Expected({ junction, test }: Pick<JunctionProps, 'junction'> & { test: JunctionDetails['teste'] }) {
  const { forceUnit } = useSettings()
  const force = test?.ZTB_FORCA
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <Fact label="Código do terminal">{junction.Z8_TERMINA}</Fact>
      <Fact label="Grupo MP">{junction.Z8_GRUPOMP}</Fact>
      <Fact label="Peças">{formatCount(junction.Z8_QTDPECA)}</Fact>
      <Fact label="Bitola do teste">{test?.ZTB_BITOLA.trim() ? `${gaugeText(test.ZTB_BITOLA)} mm²` : '-'}</Fact>
      <Fact label="Força esperada">
        {force === null || force === undefined ? '-' : `${countText(force)} ${forceUnit}`}
      </Fact>
    </dl>
  )
}
