import { Ban, Eye, FilePlus2, Pencil, Undo2 } from 'lucide-react'
import { memo } from 'react'
import { type DocumentEntry, mediaTypeTexts, sizeText, targetText } from '../../parts/documents/documents.ts'
import { SituationBadge } from '../../parts/documents/SituationBadge.tsx'
import { useSettings } from '../../parts/settings.ts'
import { formatCount, formatInstant } from '../../text/format.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import type { Act } from './acts.ts'

type Props = {
  entries: readonly DocumentEntry[]
  /** May change them, and the server is there to do so. */
  isChangeable: boolean
  onAct: (act: Act) => void
  onRestore: (entry: DocumentEntry) => void
}

export function DocumentTable({ entries, ...does }: Props) {
  const { timeZone } = useSettings()
  return (
    <div className="flex flex-col gap-2">
      <Table label="Documentos" rowCount={entries.length + 1}>
        <TableHead>
          <Th sticky width="md:w-2/5">
            Documento
          </Th>
          <Th width="md:w-1/4">Referente a</Th>
          <Th>Revisão</Th>
          <Th>Enviado</Th>
          <Th align="right" stickyEnd>
            Ações
          </Th>
        </TableHead>
        <LongRows items={entries} keyOf={({ revision }) => String(revision.id)}>
          {(entry, place) => <EntryRow entry={entry} timeZone={timeZone} {...does} {...place} />}
        </LongRows>
      </Table>
      <p role="status" className="text-sm text-muted">
        {formatCount(entries.length)} {entries.length === 1 ? 'documento' : 'documentos'}
      </p>
    </div>
  )
}

type RowProps = Omit<Props, 'entries'> & RowPlace & { entry: DocumentEntry; timeZone: string }

function PlainEntryRow({ entry, timeZone, isChangeable, onAct, onRestore, ...place }: RowProps) {
  const { document, revision } = entry
  const { arquivo, retirada } = revision
  return (
    <Row place={place}>
      <Td sticky>
        <span className="flex min-w-0 flex-col text-left max-md:w-full md:min-w-40">
          <span className="font-semibold wrap-anywhere">{document.titulo}</span>
          <span className="text-sm wrap-anywhere text-muted">
            {arquivo.nome} ·{' '}
            <span className="whitespace-nowrap">{`${mediaTypeTexts[arquivo.tipo]}, ${sizeText(arquivo.bytes)}`}</span>
          </span>
        </span>
      </Td>
      <Td label="Referente a">
        <span className="code inline-block text-sm wrap-anywhere md:min-w-28">
          {document.vinculos.map(targetText).join(', ')}
        </span>
      </Td>
      <Td label="Revisão">
        <span className="inline-flex flex-wrap items-center gap-2" title={retirada?.motivo}>
          <span className="code font-medium">{revision.revisao}</span>
          <SituationBadge situation={revision.situacao} />
        </span>
      </Td>
      <Td label="Enviado">
        <span className="text-sm text-muted" title={`por ${revision.enviadoPor}`}>
          {formatInstant(revision.enviadoEm, timeZone)}
        </span>
      </Td>
      <Td align="right" stickyEnd>
        <span className="inline-flex items-center justify-end gap-2 md:max-xl:flex-col md:max-xl:items-end">
          {isChangeable && (
            <span className="inline-flex gap-2">
              <Changes entry={entry} onAct={onAct} onRestore={onRestore} />
            </span>
          )}
          <Button
            aria-label={`Abrir ${named(entry)}`}
            icon={<Eye {...icon.md} />}
            onPress={() => onAct({ act: 'open', entry })}
          >
            Abrir
          </Button>
        </span>
      </Td>
    </Row>
  )
}
const EntryRow = memo(PlainEntryRow)

const named = ({ document, revision }: DocumentEntry) => `${document.titulo} revisão ${revision.revisao}`

/** A revision belongs to a document as long as one of them is in force; the document is changed by that one's row. */
function Changes({ entry, onAct, onRestore }: Pick<RowProps, 'entry' | 'onAct' | 'onRestore'>) {
  const { document, revision } = entry
  const isWithdrawn = revision.situacao === 'retirado'
  const isNewest = document.revisoes[0]?.id === revision.id
  return (
    <>
      {isNewest && (
        <IconButton
          label={`Enviar nova revisão de ${document.titulo}`}
          tone="brand"
          icon={<FilePlus2 {...icon.md} />}
          onPress={() => onAct({ act: 'send', document, file: null })}
        />
      )}
      <IconButton
        label={`Editar ${named(entry)}`}
        tone="brand"
        icon={<Pencil {...icon.md} />}
        onPress={() => onAct({ act: 'edit', entry })}
      />
      {isWithdrawn ? (
        <IconButton label={`Devolver ${named(entry)}`} icon={<Undo2 {...icon.md} />} onPress={() => onRestore(entry)} />
      ) : (
        <IconButton
          label={`Retirar ${named(entry)}`}
          tone="bad"
          icon={<Ban {...icon.md} />}
          onPress={() => onAct({ act: 'withdraw', entry })}
        />
      )}
    </>
  )
}
