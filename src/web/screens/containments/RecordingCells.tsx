import { CircleCheck, CircleHelp, Clock, Shuffle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Certainty, SuspectRecording } from '../../../contract/containments.ts'
import { certaintyTexts } from '../../../domain/containments/containment-texts.ts'
import { stepLabels } from '../../../domain/reports/traces.ts'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Td, Th } from '../../ui/Table.tsx'
import { useWritten } from './shown.ts'

const marks = {
  certo: { tone: 'bad', Icon: CircleCheck },
  possivel: { tone: 'warn', Icon: CircleHelp },
  'outra-maquina': { tone: 'warn', Icon: Shuffle },
  novo: { tone: 'bad', Icon: Clock },
} as const satisfies Record<Certainty, object>

export function Mark({ of }: { of: Certainty }) {
  const { tone, Icon } = marks[of]
  return (
    <Badge tone={tone} icon={<Icon {...icon.sm} />}>
      {certaintyTexts[of]}
    </Badge>
  )
}

/** 'Item 000010', 'Junção J01' */
export const nameOf = ({ item, posicao, codigoBarras }: SuspectRecording): string =>
  posicao === '' ? `Item ${item || codigoBarras}` : `Junção ${posicao}`

const received = (one: SuspectRecording): string =>
  one.recebido === null ? '—' : one.recebido ? 'Recebido na conferência' : 'Não recebido'

/** Heads of `RecordingCells`. */
export const RecordingHeads = () => (
  <>
    <Th sticky>Ordem e item</Th>
    <Th>Etapa, lote e máquina</Th>
    <Th>Quando, onde e operador</Th>
  </>
)

type CellsProps = {
  of: SuspectRecording
  /** Before its name: what takes it among others. */
  tick?: ReactNode
  /** Under its name: what is said of the whole row. */
  marks?: ReactNode
}

/** A recording as every table of a containment says it. */
export function RecordingCells({ of: one, tick, marks: said }: CellsProps) {
  const { time } = useWritten(null)
  return (
    <>
      <Td sticky>
        <span className="flex items-center gap-1 max-lg:flex-col max-lg:items-start max-md:w-full max-md:flex-row max-md:items-center">
          {tick}
          <span className="flex flex-col max-md:flex-1 max-md:flex-row max-md:flex-wrap max-md:justify-between">
            <span className="code whitespace-nowrap">
              <span className="md:hidden">OP </span>
              {one.ordem}
            </span>
            <strong>{nameOf(one)}</strong>
            {said && <span className="flex flex-wrap gap-1 max-md:w-full">{said}</span>}
          </span>
        </span>
      </Td>
      <Td label="Etapa, lote e máquina">
        <Three first={stepLabels[one.etapa]} second={<span className="code">{one.lote}</span>} third={one.maquina} />
      </Td>
      <Td label="Quando, onde e operador">
        <Three first={time(one.registradoEm)} second={received(one)} third={one.operador} />
      </Td>
    </>
  )
}

const Three = ({ first, second, third }: { first: ReactNode; second: ReactNode; third: ReactNode }) => (
  <span className="flex min-w-0 flex-col max-md:items-end">
    <span className="wrap-break-word">{first}</span>
    <span className="text-sm wrap-break-word text-muted">{second}</span>
    <span className="text-sm wrap-break-word text-muted">{third}</span>
  </span>
)
