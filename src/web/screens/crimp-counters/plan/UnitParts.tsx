import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Copy, Plus, Wrench } from 'lucide-react'
import { createElement, useState } from 'react'
import type { CrimpCounter } from '../../../../contract/crimp-counters.ts'
import { type ToolParts, wearParts } from '../../../../contract/wear-parts.ts'
import { wearText } from '../../../../domain/tools/crimp-counters.ts'
import { forecastText } from '../../../../domain/tools/tool-life.ts'
import { partName, partTexts, reasonTexts } from '../../../../domain/tools/wear-parts.ts'
import { LimitBar } from '../../../parts/LimitBar.tsx'
import { Denied, useMay } from '../../../parts/permissions.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { query } from '../../../server/query.ts'
import { formatInstant } from '../../../text/format.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { EmptyState } from '../../../ui/Page.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { MountDialog, RemoveDialog, ReplaceDialog, useMount } from './PartDialogs.tsx'
import { UnitSelector } from './UnitSelector.tsx'

type Mounted = ToolParts['mounted'][number]
const acts = { replace: ReplaceDialog, remove: RemoveDialog } as const
type Open = { kind: 'mount' | 'copy' } | { kind: keyof typeof acts; part: Mounted }

const hasParts = ({ pecas = [] }: CrimpCounter) => pecas.length > 0

/** The parts of one tool: what it has, and what it had. */
export function UnitParts({ name, onBack }: { name: string; onBack: () => void }) {
  const reading = useQuery(query(wearParts.list, { params: { miniaplicador: name } }))
  const { data } = reading
  const mayChange = useMay('maintain')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const copy = useMount(close)
  const copyFrom = ({ pecas = [] }: CrimpCounter) => {
    close()
    copy.save({
      unit: name,
      parts: pecas.map(({ kind, code, limitOfCrimps }) => ({ kind, code, limitOfCrimps, usedBefore: 0 })),
    })
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button icon={<ArrowLeft {...icon.md} />} onPress={onBack}>
          Plano
        </Button>
        <h2 className="min-w-0 flex-1 text-xl font-semibold wrap-anywhere">
          Peças de <span className="code">{data?.miniaplicator ?? name}</span>
        </h2>
        {data && mayChange && (
          <span className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
            {data.mounted.length === 0 && (
              <Button
                size="lg"
                icon={<Copy {...icon.md} />}
                busy={copy.isBusy}
                busyText="Copiando..."
                onPress={() => setOpen({ kind: 'copy' })}
              >
                Copiar peças de…
              </Button>
            )}
            <Button variant="primary" icon={<Plus {...icon.md} />} onPress={() => setOpen({ kind: 'mount' })}>
              Montar peça
            </Button>
          </span>
        )}
      </div>
      <Denied permission="maintain" />
      {copy.failure && <Alert>{copy.failure}</Alert>}
      <ReadingState reading={reading} loadingText="Carregando as peças..." />
      {data?.mounted.length === 0 && (
        <EmptyState icon={<Wrench {...icon.xl} />}>
          Nenhuma peça montada em {data.miniaplicator}. As de um mini aplicador igual se copiam.
        </EmptyState>
      )}
      {data && data.mounted.length > 0 && (
        <MountedTable parts={data} mayChange={mayChange} onOpen={(kind, part) => setOpen({ kind, part })} />
      )}
      {data && data.removed.length > 0 && <RemovedTable parts={data} />}
      {open?.kind === 'mount' && <MountDialog unit={name} mounted={data?.mounted ?? []} onClose={close} />}
      {open?.kind === 'copy' && (
        <UnitSelector title="Copiar peças de" isOffered={hasParts} onSelect={copyFrom} onClose={close} />
      )}
      {open && 'part' in open && createElement(acts[open.kind], { part: open.part, onClose: close })}
    </div>
  )
}

/** A usual code is never broken. */
const PartName = ({ part }: { part: Pick<Mounted, 'kind' | 'code'> }) => (
  <span className="flex flex-col font-semibold">
    {partTexts[part.kind]}
    <span className={`code ${part.code.length <= 20 ? 'whitespace-nowrap' : 'wrap-anywhere'}`}>{part.code}</span>
  </span>
)

type MountedProps = {
  parts: ToolParts
  mayChange: boolean
  onOpen: (kind: keyof typeof acts, part: Mounted) => void
}

function MountedTable({ parts, mayChange, onOpen }: MountedProps) {
  const { limitWarningPercent, timeZone } = useSettings()
  return (
    <Table label={`Peças montadas em ${parts.miniaplicator}`} heightMax="max-h-none">
      <TableHead>
        <Th>Peça</Th>
        <Th width="md:w-1/3">Uso</Th>
        <Th>Montada</Th>
        {mayChange && <Th align="right">Ação</Th>}
      </TableHead>
      <TableBody>
        {parts.mounted.map((part) => {
          const called = partName(part)
          return (
            <Row key={part.id}>
              <Td label="Peça">
                <PartName part={part} />
              </Td>
              <Td label="Uso">
                <div className="flex w-full min-w-0 flex-col text-left">
                  <LimitBar unit={{ ...part, miniaplicator: called }} warningPercent={limitWarningPercent} />
                  <span className="text-sm text-muted">{wearText(part)}</span>
                  <span className="text-sm text-muted">{forecastText(part.previsao)}</span>
                </div>
              </Td>
              <Td label="Montada">
                <span className="flex flex-col">
                  {formatInstant(part.mountedAt, timeZone)}
                  <span className="text-sm text-muted">{part.mountedBy}</span>
                </span>
              </Td>
              {mayChange && (
                <Td align="right">
                  <div className="flex justify-end gap-2 max-xl:flex-wrap max-md:w-full max-md:*:grow">
                    <Button aria-label={`Trocar peça ${called}`} onPress={() => onOpen('replace', part)}>
                      Trocar peça
                    </Button>
                    <Button variant="quiet" aria-label={`Retirar ${called}`} onPress={() => onOpen('remove', part)}>
                      Retirar
                    </Button>
                  </div>
                </Td>
              )}
            </Row>
          )
        })}
      </TableBody>
    </Table>
  )
}

function RemovedTable({ parts }: { parts: ToolParts }) {
  const { timeZone } = useSettings()
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-lg font-semibold">Trocadas e retiradas</h3>
      <Table label={`Peças que ${parts.miniaplicator} teve`}>
        <TableHead>
          <Th>Peça</Th>
          <Th>Crimpagens</Th>
          <Th>Por quê</Th>
          <Th>Quando</Th>
        </TableHead>
        <TableBody>
          {parts.removed.map((part) => (
            <Row key={part.id}>
              <Td label="Peça">
                <PartName part={part} />
              </Td>
              <Td label="Crimpagens">{wearText(part)}</Td>
              <Td label="Por quê">
                {reasonTexts[part.reason]}
                {part.chamado && ` · chamado ${part.chamado}`}
              </Td>
              <Td label="Quando">
                <span className="flex flex-col">
                  {formatInstant(part.removedAt, timeZone)}
                  <span className="text-sm text-muted">{part.removedBy}</span>
                </span>
              </Td>
            </Row>
          ))}
        </TableBody>
      </Table>
    </section>
  )
}
