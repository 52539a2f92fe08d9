import { Ruler } from 'lucide-react'
import type { TraceSample } from '../../../contract/traces.ts'
import { delayText } from '../../../domain/acts/late-acts.ts'
import { findingText } from '../../../domain/histories/end-histories.ts'
import { actionTexts } from '../../../domain/quality/measuring.ts'
import { sampleSituationText, sampleStepText } from '../../../domain/reports/trace-entries.ts'
import { gaugeText, isOutsidePlan, planLines } from '../../../domain/reports/traces.ts'
import { useSettings } from '../../parts/settings.ts'
import { HistoryLink } from '../../parts/traces/HistoryLink.tsx'
import { formatInstant } from '../../text/format.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { Row, type RowPlace, Td } from '../../ui/Table.tsx'
import { Lines, TraceLink } from './TraceLink.tsx'
import type { Traced } from './traces.ts'

type Props = { sample: TraceSample; current: Traced; place: RowPlace }

/** A sample at its place in time: it made no pieces. */
export function SampleRow({ sample, current, place }: Props) {
  const { timeZone } = useSettings()
  const { terminal, bitolaMilli, acao, achados, demoraMinutos } = sample
  const gauge = bitolaMilli === null ? '' : `${gaugeText(bitolaMilli)} mm²`
  const moment = formatInstant(sample.medidoEm, timeZone)
  return (
    <Row place={place}>
      <Td sticky>
        <span className="flex flex-col max-md:w-full max-md:flex-row max-md:flex-wrap max-md:justify-between">
          <strong className="inline-flex items-center gap-1">
            <Ruler {...icon.sm} className="shrink-0" />
            {sampleStepText(sample)}
          </strong>
          <span className="whitespace-nowrap">{moment}</span>
          {demoraMinutos !== null && (
            <span className="text-sm text-muted">
              recebida em {formatInstant(sample.recebidoEm, timeZone)}, {delayText(demoraMinutos)} depois
            </span>
          )}
        </span>
      </Td>
      <Td label="Peças" isBlank />
      <Td label="Lote e material" isBlank={sample.lote === '' && terminal === ''}>
        <Lines under={<span className="code">{[terminal, gauge].filter(Boolean).join(' · ')}</span>}>
          <TraceLink term={sample.lote} kind="lote" current={current} />
        </Lines>
      </Td>
      <Td label="Mini aplicador e instrumento" isBlank={sample.miniaplicador === '' && sample.instrumento === ''}>
        <Lines
          under={sample.instrumento && <TraceLink term={sample.instrumento} kind="instrumento" current={current} />}
        >
          <TraceLink term={sample.miniaplicador} kind="miniaplicador" current={current} />
        </Lines>
      </Td>
      <Td label="Máquina e operador">
        <Lines under={sample.operador}>
          <TraceLink term={sample.maquina} kind="maquina" current={current} />
        </Lines>
      </Td>
      <Td label="Força e altura">
        <Readings sample={sample} />
      </Td>
      <Td label="Situação">
        <span className="flex flex-col text-sm max-md:items-end">
          {acao && <span>{actionTexts[acao]}</span>}
          {[sampleSituationText(sample), ...achados.map(findingText)].filter(Boolean).map((text) => (
            <span key={text} className="font-medium text-bad-ink">
              {text}
            </span>
          ))}
          <HistoryLink
            place={{ ...sample, codigoBarras: sample.barras }}
            act={sample.id}
            label={`${sampleStepText(sample)}, ${moment}`}
          />
        </span>
      </Td>
    </Row>
  )
}

const Readings = ({ sample }: { sample: TraceSample }) => (
  <span className="flex flex-col gap-1 max-md:items-end">
    {sample.medicoes.map(({ medido }) => (
      <span key={medido}>{medido}</span>
    ))}
    {planLines(sample).map((text) => (
      <span key={text} className={`text-sm ${isOutsidePlan(sample) ? 'font-medium text-bad-ink' : 'text-muted'}`}>
        {text}
      </span>
    ))}
  </span>
)
