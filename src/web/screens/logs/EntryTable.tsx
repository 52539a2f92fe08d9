import { ChevronDown, ChevronUp, CircleAlert, Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { LogLevel } from '../../../contract/log-entries.ts'
import { useSettings } from '../../parts/settings.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { levelTexts, momentText, type ShownEntry } from './entries.ts'

const looks = {
  Info: { tone: 'neutral', Icon: Info },
  Warning: { tone: 'warn', Icon: TriangleAlert },
  Error: { tone: 'bad', Icon: CircleAlert },
  Critical: { tone: 'bad', Icon: OctagonAlert },
} as const

function LevelBadge({ level }: { level: LogLevel }) {
  const { tone, Icon } = looks[level]
  return (
    <Badge tone={tone} icon={<Icon {...icon.sm} />}>
      {levelTexts[level]}
    </Badge>
  )
}

/** The newest first; each opens to all that is known of it. */
export function EntryTable({ label, entries }: { label: string; entries: readonly ShownEntry[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const { timeZone } = useSettings()
  const toggle = (key: string) =>
    setOpened((before) =>
      before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
    )
  return (
    <Table label={label} rowCount={entries.length + 1}>
      <TableHead>
        <Th>Data e hora</Th>
        <Th>Nível</Th>
        <Th>Origem</Th>
        <Th width="md:w-1/2">Mensagem</Th>
      </TableHead>
      <LongRows items={entries} keyOf={({ key }) => key}>
        {(entry, place) => (
          <Row place={place}>
            <Td label="Data e hora">
              <span className="max-md:text-right">{momentText(entry.timestamp, timeZone)}</span>
            </Td>
            <Td label="Nível">
              <LevelBadge level={entry.level} />
            </Td>
            <Td label="Origem">
              <span className="min-w-0 text-sm wrap-anywhere md:inline-block md:min-w-18">{entry.source}</span>
            </Td>
            <Td>
              <Message entry={entry} isOpen={opened.has(entry.key)} onToggle={() => toggle(entry.key)} />
            </Td>
          </Row>
        )}
      </LongRows>
    </Table>
  )
}

type MessageProps = { entry: ShownEntry; isOpen: boolean; onToggle: () => void }

function Message({ entry, isOpen, onToggle }: MessageProps) {
  const facts = factsOf(entry)
  return (
    <div className="flex w-full min-w-0 flex-col gap-2 text-left">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4">
        <p className="min-w-0 flex-1 basis-60 wrap-anywhere">{entry.message}</p>
        {facts.length > 0 && (
          <Button
            variant="quiet"
            icon={isOpen ? <ChevronUp {...icon.sm} /> : <ChevronDown {...icon.sm} />}
            aria-expanded={isOpen}
            aria-label={`Detalhes: ${entry.message}`}
            onPress={onToggle}
          >
            Detalhes
          </Button>
        )}
      </div>
      {isOpen && (
        <dl className="flex min-w-0 flex-col gap-2 rounded-md bg-sunken p-3">
          {facts.map(([name, text]) => (
            <div key={name} className="min-w-0">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="text-sm whitespace-pre-wrap wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

const factsOf = (entry: ShownEntry): [name: string, text: string][] =>
  (
    [
      ['Usuário', entry.userId],
      ['Endereço', entry.currentUrl],
      ['Mais dados', entry.additionalData],
      ['Erro', entry.error],
      ['Navegador', entry.userAgent],
    ] as const
  ).flatMap(([name, text]): [string, string][] => (text === null ? [] : [[name, text]]))
