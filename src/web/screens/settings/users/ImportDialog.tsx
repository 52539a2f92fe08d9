import { useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { FieldError } from '../../../../contract/errors.ts'
import { IMPORT_LENGTH_MAX, users } from '../../../../contract/users.ts'
import { roleTexts } from '../../../../domain/people/permissions.ts'
import { IMPORTED_USERS_MAX } from '../../../../domain/people/user-imports.ts'
import { csvTextOf } from '../../../../domain/text/csv-tables.ts'
import { callConfirmed } from '../../../parts/access/PasswordConfirmation.tsx'
import { FileChoice } from '../../../parts/FileChoice.tsx'
import { ApiError } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'

type Imported = Reply<typeof users.importAll>

const peopleText = (count: number) => (count === 1 ? '1 usuário' : `${count} usuários`)

const send = (content: string, preview: boolean): Promise<Imported> =>
  callConfirmed(users.importAll, { body: { content, preview } })

/** Shows whom a file would create, then creates all of them or nobody. Mounted while it is open. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [content, setContent] = useState('')
  const [wanted, setWanted] = useState<Imported>([])
  const preview = useSave({ send: (text: string) => send(text, true), onSaved: setWanted })
  const creation = useSave({
    send: () => send(content, false),
    changes: [users.list],
    toast: (created: Imported) => ({ kind: 'success', text: `Criados: ${peopleText(created.length)}.` }),
    onSaved: onClose,
  })
  /** Refused before it travels. */
  const isTooLong = content.length > IMPORT_LENGTH_MAX
  const failed = creation.error ? creation : preview
  const details = failed.error instanceof ApiError ? failed.error.details : []
  const read = async (file: File) => {
    const text = csvTextOf(new Uint8Array(await file.arrayBuffer()), TextDecoder)
    setContent(text)
    setWanted([])
    creation.forget()
    preview.forget()
    if (text.length <= IMPORT_LENGTH_MAX) preview.save(text)
  }
  return (
    <FormDialog
      title="Importar usuários"
      width="lg"
      saveText={wanted.length === 0 ? 'Criar' : `Criar ${peopleText(wanted.length)}`}
      busyText="Criando..."
      isValid={wanted.length > 0 && !preview.isBusy}
      isBusy={creation.isBusy}
      error={isTooLong ? `São no máximo ${IMPORTED_USERS_MAX} usuários por arquivo.` : failed.failure}
      onSave={() => creation.save()}
      onClose={onClose}
    >
      <p>
        Um CSV cuja primeira linha é <span className="code">nome;usuario;papel;senha</span>. Quem fica sem senha só
        entra com senha depois que um administrador der uma.
      </p>
      <FileChoice isBusy={preview.isBusy || creation.isBusy} onFile={(file) => void read(file)} />
      {details.length > 0 && <Faults details={details} />}
      {wanted.length > 0 && <Wanted wanted={wanted} />}
    </FormDialog>
  )
}

const Faults = ({ details }: { details: readonly FieldError[] }) => (
  <ul aria-label="Linhas com problema" className="flex flex-col gap-1">
    {details.map(({ field, message }) => (
      <li key={`${field} ${message}`} className="wrap-anywhere">
        <span className="font-semibold">{field}:</span> {message}
      </li>
    ))}
  </ul>
)

const Wanted = ({ wanted }: { wanted: Imported }) => (
  <Table label="Usuários a criar" heightMax="max-h-80">
    <TableHead>
      <Th>Linha</Th>
      <Th>Usuário</Th>
      <Th>Nome</Th>
      <Th>Perfil</Th>
      <Th>Senha</Th>
    </TableHead>
    <TableBody>
      {wanted.map(({ line, username, fullName, role, hasPassword }) => (
        <Row key={line}>
          <Td label="Linha">{line}</Td>
          <Td label="Usuário">
            <span className="code min-w-0 wrap-anywhere">{username}</span>
          </Td>
          <Td label="Nome">
            <span className="min-w-0 wrap-anywhere">{fullName}</span>
          </Td>
          <Td label="Perfil">{roleTexts[role]}</Td>
          <Td label="Senha">{hasPassword ? 'Sim' : 'Sem senha'}</Td>
        </Row>
      ))}
    </TableBody>
  </Table>
)
