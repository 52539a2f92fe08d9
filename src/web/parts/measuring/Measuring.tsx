import { Ruler } from 'lucide-react'
import { useState } from 'react'
import type { Characteristic, MeasurementAnswer, MeasurementForm } from '../../../contract/measurements.ts'
import { nameKey } from '../../../domain/acts/recordings.ts'
import { machineIdIn, type TakenSample } from '../../../domain/forms/recording-form.ts'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import { milliText, planText } from '../../../domain/quality/control-plans.ts'
import { dueText, measuredHere } from '../../../domain/quality/measuring.ts'
import {
  limitsOf,
  type Readings,
  recordedForce,
  recordedHeight,
  registeredUnit,
  verdictOfReadings,
} from '../../../domain/quality/sampling.ts'
import { kinds } from '../../acts/kinds.ts'
import { useRecorder } from '../../acts/useRecorder.ts'
import { serverNow } from '../../device/clock.ts'
import { deferred } from '../../device/deferred.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { lateExtra } from '../Late.tsx'
import { useMay } from '../permissions.tsx'
import { useCallAfter } from './CallAfter.tsx'
import { MeasureDialog } from './MeasureDialog.tsx'
import { useSuspects } from './suspects.tsx'
import type { MeasuringHere, PlanHere, Sample, SampleSteps, Work } from './work.ts'

/** Open, with the instrument that was read; empty: none was. */
type Opened = { instrument: string }

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
  /** Called when the server did not take it after all. */
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

/** Texts of the form's fields. Rounding never makes the ERP's value better than the measured one. */
function textsOf({ altura, forca }: Sample['readings'], nominal: number | null): MeasuredTexts {
  return {
    ...(forca ? { force: String(recordedForce(forca)) } : {}),
    ...(altura ? { height: milliText(recordedHeight(altura, nominal)) } : {}),
  }
}

/** Registers samples of this work: what the form makes of one, who is called about it, and what is shown of it. */
function useSampling({ work, here, planHere, opened, onOpen, onSample, onNotTaken }: Props) {
  const { branch, part, barcode, order, junction } = work
  const calling = useCallAfter(work, (isShown) => onOpen(isShown ? { instrument: '' } : null))
  const [taken, setTaken] = useState<Taken | null>(null)
  const [chartCount, setChartCount] = useState(0)
  const [sentences, setSentences] = useState<Partial<Record<Characteristic, string>>>({})
  const suspects = useSuspects(work, here, planHere, opened !== null)
  const recorder = useRecorder(kinds.measurement, {
    place: { branch, part, barcode, order, junction },
    onAccepted: (_, answer) => {
      const { medicoes } = answer as MeasurementAnswer
      here.note(medicoes)
      suspects.note(medicoes)
    },
    actionOf: (_, answer) => suspects.actionOf((answer as MeasurementAnswer).medicoes),
    savedWarningOf: ({ payload, frozenAt }) => suspects.textOf(payload, Date.parse(frozenAt)),
  })
  /** Another dialog begins with the readings that were given back. */
  const [round, setRound] = useState(0)
  const save = (sample: Sample, steps: SampleSteps) => {
    const { readings, action } = sample
    // with the press: what came later would push 'Registrar' from under a finger
    setChartCount(measuredHere.filter((one) => readings[one]).length)
    const { isAsked, onKept, onEnd } = calling.begin(action)
    const form = formOf(work, planHere.due, sample)
    const texts = textsOf(readings, planHere.plan?.altura?.nominal ?? work.limits.height)
    let id = ''
    const done = recorder.register(form, {
      // the same again within a second is a finger that bounces; other readings are another sample
      section: JSON.stringify(form),
      onSaved: (actId) => {
        id = actId
        const measuredAt = serverNow()
        setTaken({ id, medidoEm: toInstant(measuredAt), form })
        setSentences({})
        onSample(texts, { id, occasion: form.ocasiao, made: { form, measuredAt } })
        onKept(id)
        steps.onKept()
        // with what it writes into the form: a 'Registrar' in between would register the form without it
        if (!isAsked && action !== 'ajustei') onOpen(null)
      },
      onNotRecorded: () => {
        setTaken(null)
        setSentences({})
        setChartCount(0)
        onNotTaken(id)
        if (steps.giveBack()) setRound((before) => before + 1)
      },
    })
    // also where it failed: the dialog's button and a call that waits for the sample must not hang on it
    void done.finally(() => {
      onEnd()
      steps.onEnd()
    })
  }
  const onSentence = (of: Characteristic, sentence: string) => setSentences((before) => ({ ...before, [of]: sentence }))
  return { calling, taken, chartCount, sentences, onSentence, save, round, suspects: suspects.link }
}

/** This page's last measurement, shown until the server lists it. */
type Taken = { id: string; medidoEm: string; form: MeasurementForm }

/** A few KB that stand at the press only after a sample. */
const SmallChart = lateExtra(deferred(async () => (await import('../spc/SmallChart.tsx')).SmallChart))

type TakenProps = Pick<Props, 'work' | 'here' | 'planHere'> & {
  taken: Taken
  onSentence: (of: Characteristic, sentence: string) => void
}

/** Only what has a tool and a gauge is of a series. */
const isCharted = ({ tool, gauge, hasTwoWires }: Work) => gauge !== null && !hasTwoWires && registeredUnit(tool) !== ''

/** Height of one chart, with two lines each of title and sentence. */
const CHART_REM = 19
const GAP_REM = 0.75

/** How the series goes on that was just measured. */
function ChartsOfTaken({ work, here, planHere, taken, onSentence }: TakenProps) {
  const { tool, terminal, gauge } = work
  if (gauge === null) return null
  const place = { miniaplicador: tool, terminal, bitola: gauge }
  return taken.form.leituras.map(({ caracteristica, valores }) => {
    const known = here.context?.series.find(
      (one) =>
        one.caracteristica === caracteristica &&
        nameKey(one.miniaplicador) === nameKey(tool) &&
        nameKey(one.terminal) === nameKey(terminal) &&
        one.bitola === gauge,
    )
    const limits = limitsOf(planHere.plan, caracteristica, work.limits)
    const veredito = verdictOfReadings(limits, valores as unknown as Readings)
    return (
      <SmallChart
        key={caracteristica}
        series={known ?? { ...place, caracteristica, base: null, amostras: [] }}
        waiting={[{ id: taken.id, valores, veredito, medidoEm: taken.medidoEm }]}
        onSentence={(sentence) => onSentence(caracteristica, sentence)}
      />
    )
  })
}

/** A welded joint has no height. */
function ofWork({ altura, ...rest }: NonNullable<PlanHere['plan']>, { hasHeight }: Work) {
  return hasHeight && altura ? { ...rest, altura } : rest
}

type PlanLineProps = Pick<Props, 'work' | 'here' | 'planHere' | 'forceUnit' | 'isDisabled'>

/** The plan's limits for this work, and the characteristics still to be measured while it can be. */
function PlanLine({ work, here, planHere, forceUnit, isDisabled }: PlanLineProps) {
  const { plan, isNewestHere } = planHere
  const line = plan
    ? planText(ofWork(plan, work), forceUnit)
    : here.isUnknown
      ? 'Sem rede e sem o plano neste tablet: a medição será julgada depois.'
      : here.context === null
        ? ''
        : work.hasTwoWires
          ? 'Sem plano para dois fios: mede-se sem limite.'
          : 'Sem plano de controle.'
  const missing = isDisabled ? '' : dueText(planHere, plan?.aCadaPecas)
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
  const { calling, taken, chartCount, sentences, onSentence, save, round, suspects } = useSampling(props)
  const mayRecord = useMay('record')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <PlanLine {...{ work, here, planHere, forceUnit, isDisabled }} />
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
      </div>
      {chartCount > 0 && isCharted(work) && (
        // there before the charts are
        <div
          className="flex flex-col gap-3"
          style={{ minHeight: `${chartCount * (CHART_REM + GAP_REM) - GAP_REM}rem` }}
        >
          {taken && <ChartsOfTaken {...{ work, here, planHere, taken, onSentence }} />}
        </div>
      )}
      {/* there before its text is: what comes with its region is not read aloud */}
      <p role="status" className="sr-only">
        {Object.values(sentences).join(' ')}
      </p>
      {opened && !calling.isCalling && (
        <MeasureDialog
          key={round}
          {...{ work, forceUnit, onTwoWires }}
          plan={planHere.plan}
          instruments={here.context?.instrumentos ?? []}
          instrumentRead={opened.instrument}
          onSave={save}
          onClose={() => onOpen(null)}
        />
      )}
      {suspects}
      {calling.note}
      {opened && calling.dialog}
    </div>
  )
}
