import { Ruler } from 'lucide-react'
import { useState } from 'react'
import type { MeasurementAnswer, MeasurementForm } from '../../../contract/measurements.ts'
import { milliText, planText } from '../../../domain/control-plans.ts'
import { dueText, measuredHere } from '../../../domain/measuring.ts'
import { machineIdIn, type TakenSample } from '../../../domain/recording-form.ts'
import { recordedForce, recordedHeight } from '../../../domain/sampling.ts'
import { kinds } from '../../recording/kinds.ts'
import { useRecorder } from '../../recording/useRecorder.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { CallDialog } from '../calls/CallDialog.tsx'
import { useMay } from '../permissions.tsx'
import { MeasureDialog } from './MeasureDialog.tsx'
import type { MeasuringHere, PlanHere, Sample, Work } from './work.ts'

/** Open, with the instrument that was read; empty: none was. */
export type Opened = { instrument: string }

export type MeasuredTexts = { force?: string; height?: string }

type Props = {
  work: Work
  /** 'lado 1': tells the button from others of the screen. */
  name: string
  here: MeasuringHere
  planHere: PlanHere
  forceUnit: string
  isDisabled: boolean
  opened: Opened | null
  /** 'Medir' was pressed, or the dialog is to be closed. */
  onOpen: (opened: Opened | null) => void
  /** On disk: what the form then says, and what its recording names. */
  onSample: (texts: MeasuredTexts, sample: TakenSample) => void
  /** It was not taken after all. */
  onNotTaken: (id: string) => void
  onTwoWires: (hasTwoWires: boolean) => void
}

/** Texts that there are. */
const given = <Texts extends Record<string, string>>(texts: Texts): Partial<Texts> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Partial<Texts>

function formOf(work: Work, due: PlanHere['due'], { instrument, readings, action }: Sample) {
  const { branch, order, part, barcode, junction, terminal, machine, tool, lot, hasTwoWires } = work
  const leituras = measuredHere.flatMap((caracteristica) => {
    const valores = readings[caracteristica]
    return valores ? [{ caracteristica, valores: [...valores] }] : []
  })
  return {
    filial: branch,
    ordem: order,
    parte: part,
    maquina: machineIdIn(machine),
    ...given({ codigoBarras: barcode, posicao: junction, terminal, miniaplicador: tool, lote: lot.trim() }),
    ...given({ instrumento: instrument.trim() }),
    ocasiao: due[0] ?? 'avulsa',
    ...(hasTwoWires ? { doisFios: true } : {}),
    leituras,
    ...(action ? { acao: action } : {}),
  } satisfies MeasurementForm
}

/** What the ERP is told is never better than what was measured. */
function textsOf({ altura, forca }: Sample['readings'], nominal: number | null): MeasuredTexts {
  return {
    ...(forca ? { force: String(recordedForce(forca)) } : {}),
    ...(altura ? { height: milliText(recordedHeight(altura, nominal)) } : {}),
  }
}

/** The recorder of samples of this work, and what the form makes of one. */
function useSampling({ work, here, planHere, onSample, onNotTaken }: Props) {
  const { branch, part, barcode, order, junction } = work
  const recorder = useRecorder(kinds.measurement, {
    place: { branch, part, barcode, order, junction },
    onAccepted: (_, answer) => here.note((answer as MeasurementAnswer).medicoes),
  })
  return (sample: Sample) => {
    const form = formOf(work, planHere.due, sample)
    const texts = textsOf(sample.readings, planHere.plan?.altura?.nominal ?? work.limits.height)
    let taken = ''
    void recorder.register(form, {
      section: 'medir',
      onSaved: (id) => {
        taken = id
        onSample(texts, { id, occasion: form.ocasiao })
      },
      onRecorded: () => undefined,
      onNotRecorded: () => onNotTaken(taken),
    })
  }
}

/** Calls maintenance to where a reading was outside. */
function CallAfter({ work, onClose }: { work: Work; onClose: () => void }) {
  const { branch, machine, tool, order, barcode, part, junction } = work
  const side = part === 'juncao' ? '' : part === 'l1' ? '1' : '2'
  const place = { machine: machineIdIn(machine), tool, order, barcode, side, junction } as const
  const recorder = useRecorder(kinds.maintenanceCall, { place: { branch, order, barcode, side, junction } })
  return (
    <CallDialog
      branch={branch}
      place={place}
      item=""
      onCall={(called, symptom) => {
        onClose()
        void recorder.register({ branch, ...place, machine: called, symptom })
      }}
      onClose={onClose}
    />
  )
}

/** What the plan asks for at this work, and what is still to be measured. */
function PlanLine({ work, here, planHere, forceUnit }: Pick<Props, 'work' | 'here' | 'planHere' | 'forceUnit'>) {
  const { plan, due, isNewestHere } = planHere
  const line = plan
    ? planText(plan, forceUnit)
    : here.isUnknown
      ? 'Sem rede: o plano ainda não foi lido neste dispositivo.'
      : here.context === null
        ? ''
        : work.hasTwoWires
          ? 'Dois fios neste terminal: nenhum plano vale.'
          : 'Sem plano de controle.'
  const missing = dueText(due, plan?.aCadaPecas)
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p className="text-muted">{line}</p>
      {missing && <p className="font-semibold text-warn-ink">{missing}</p>}
      {isNewestHere && <p className="text-muted">Última medição neste dispositivo, aguardando envio.</p>}
    </div>
  )
}

/** The plan in one line, and the way to measure by it. */
export function Measuring(props: Props) {
  const { work, name, here, planHere, forceUnit, isDisabled, opened, onOpen, onTwoWires } = props
  const [isCalling, setCalling] = useState(false)
  const take = useSampling(props)
  const mayRecord = useMay('record')
  const save = (sample: Sample) => {
    take(sample)
    if (sample.action === 'manutencao') return setCalling(true)
    // the next one is taken at once
    if (sample.action !== 'ajustei') onOpen(null)
  }
  const close = () => {
    setCalling(false)
    onOpen(null)
  }
  return (
    <div className="flex items-center gap-3">
      <PlanLine {...{ work, here, planHere, forceUnit }} />
      {mayRecord && (
        <Button
          icon={<Ruler {...icon.md} />}
          aria-label={`Medir: ${name}`}
          isDisabled={isDisabled}
          onPress={() => onOpen({ instrument: '' })}
        >
          Medir
        </Button>
      )}
      {opened && !isCalling && (
        <MeasureDialog
          {...{ work, forceUnit, onTwoWires }}
          plan={planHere.plan}
          instruments={here.context?.instrumentos ?? []}
          instrumentRead={opened.instrument}
          onSave={save}
          onClose={close}
        />
      )}
      {opened && isCalling && <CallAfter work={work} onClose={close} />}
    </div>
  )
}
