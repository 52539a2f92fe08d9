import { useNavigate } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { Junction } from '../../../contract/junctions.ts'
import { junctionPercent } from '../../../domain/junction-balance.ts'
import { yesNoText } from '../../../domain/junctions.ts'
import { formatPercent, orDash } from '../../app/format.ts'
import { junctionDetailsPath } from '../../app/links.ts'
import type { JunctionSearch } from '../../parts/lookups/junctions.ts'
import { useJunctionHere } from '../../recording/queue-db.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'

type Props = { search: JunctionSearch; items: readonly Junction[] }

export const JunctionTable = ({ search, items }: Props) => (
  <Table label="Junções">
    <TableHead>
      <Th held>Posição</Th>
      <Th>Terminal</Th>
      <Th>Grupo MP</Th>
      <Th>Estanqueidade</Th>
      <Th>Cabo Especial</Th>
      <Th>% Junção</Th>
      <Th align="right" heldEnd>
        Detalhes
      </Th>
    </TableHead>
    <TableBody>
      {items.map((junction) => (
        <JunctionRow key={`${junction.Z8_POSICAO}|${junction.Z8_GRUPOMP}`} search={search} junction={junction} />
      ))}
    </TableBody>
  </Table>
)

function JunctionRow({ search, junction: read }: { search: JunctionSearch; junction: Junction }) {
  const navigate = useNavigate()
  const { junction, here } = useJunctionHere(search, read)
  const percent = junctionPercent(junction)
  return (
    <Row>
      <Td label="Posição" held>
        <strong className="code text-lg whitespace-pre md:max-lg:text-base">{orDash(junction.Z8_POSICAO)}</strong>
      </Td>
      <Td label="Terminal" isThird>
        <span className="code">{orDash(junction.Z8_TERMINA)}</span>
      </Td>
      <Td label="Grupo MP" isThird>
        <span className="code">{orDash(junction.Z8_GRUPOMP)}</span>
      </Td>
      <Td label="Estanqueidade" isThird>
        {yesNoText(junction.Z8_ESTANQU)}
      </Td>
      <Td label="Cabo Especial" isThird>
        {yesNoText(junction.Z8_CABOESP)}
      </Td>
      <Td label="% Junção" isThird>
        <ProgressBar
          label="% Junção"
          percent={percent}
          text={formatPercent(percent)}
          note={here > 0 ? 'aguardando envio' : junction.aguardandoErp > 0 ? 'aguardando ERP' : undefined}
        />
      </Td>
      <Td align="right" heldEnd>
        <Button
          variant="quiet"
          size="tight"
          aria-label={`Detalhes da junção ${junction.Z8_POSICAO}`}
          onPress={() => void navigate({ href: junctionDetailsPath(search.plant, search.order, junction.Z8_POSICAO) })}
        >
          <span className="md:hidden">Detalhes</span>
          <ArrowRight {...icon.md} />
        </Button>
      </Td>
    </Row>
  )
}
