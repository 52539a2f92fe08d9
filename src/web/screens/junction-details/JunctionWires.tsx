import { Cable } from 'lucide-react'
import type { Circuit } from '../../../contract/junctions.ts'
import { type JoinedWire, wiresBySide } from '../../../domain/junctions.ts'
import { orDash } from '../../app/format.ts'
import { WireDrawing } from '../../parts/wires/WireDrawing.tsx'
import type { WireEnd } from '../../parts/wires/WireEndDrawing.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'

type Props = { circuits: readonly Circuit[]; position: string }

export function JunctionWires({ circuits, position }: Props) {
  const { left, right } = wiresBySide(circuits, position)
  return (
    <div className="grid grid-cols-1 items-start gap-4 @4xl:grid-cols-2">
      <WireList title="Cabos do Lado Esquerdo" wires={left} position={position} />
      <WireList title="Cabos do Lado Direito" wires={right} position={position} isRight />
    </div>
  )
}

type ListProps = { title: string; wires: readonly JoinedWire[]; position: string; isRight?: boolean }

const WireList = ({ title, wires, position, isRight = false }: ListProps) => (
  <Section title={`${title} [Qtd: ${String(wires.length).padStart(2, '0')}]`} icon={<Cable {...icon.md} />}>
    {wires.length === 0 ? (
      <p className="text-muted">Nenhum cabo deste lado.</p>
    ) : (
      <ul className="flex flex-col gap-4">
        {wires.map(({ circuit, farEnd }) => (
          <li key={`${circuit.Z1_CODBAR}|${farEnd}`} className="flex min-w-0 flex-col gap-1">
            <p className="flex flex-wrap items-baseline gap-x-4 text-sm text-muted">
              <span>
                Item <strong className="code text-base text-ink">{orDash(circuit.Z1_ITEMEST)}</strong>
              </span>
              <span>
                Gravação <strong className="code text-base text-ink">{orDash(circuit.Z1_GRAVA)}</strong>
              </span>
              <span>
                Cabo <span className="code text-ink">{orDash(circuit.Z1_CODCABO)}</span>
              </span>
            </p>
            <WireDrawing wire={{ ...wireOf(circuit), ...endsOf(farEnd, position, isRight) }} />
          </li>
        ))}
      </ul>
    )}
  </Section>
)

const wireOf = (circuit: Circuit) => ({
  colour: circuit.Z1_COR,
  gauge: circuit.Z1_BITOLA,
  marking: circuit.Z1_GRAVA,
  barcode: circuit.Z1_CODBAR,
})

/** Wires of the left side come from the left and end in the joint; those of the right leave it. */
function endsOf(farEnd: string, position: string, isRight: boolean): { left: WireEnd; right: WireEnd } {
  const joint: WireEnd = { kind: 'joint', name: position }
  // An end at another junction reads `POSITION|E`.
  const elsewhere: WireEnd = { kind: 'elsewhere', name: farEnd.replace('|', ' | ') }
  return isRight ? { left: joint, right: elsewhere } : { left: elsewhere, right: joint }
}
