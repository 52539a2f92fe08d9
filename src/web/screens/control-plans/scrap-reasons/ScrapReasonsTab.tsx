import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Pencil, Plus, Printer } from 'lucide-react'
import { useState } from 'react'
import {
  REASON_TEXT_LENGTH_MAX,
  reasonKinds,
  reasonStages,
  type ScrapReason,
  type ScrapReasonForm,
  scrapReasons,
} from '../../../../contract/scrap-reasons.ts'
import { saysSomething } from '../../../../contract/values.ts'
import { stageNames } from '../../../../domain/tools/scrap-sheets.ts'
import { isFixed } from '../../../../domain/tools/scraps.ts'
import { useMay } from '../../../parts/permissions.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { call } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { useSave } from '../../../server/save.ts'
import { Button, ButtonLink, IconButton } from '../../../ui/Button.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { TextField } from '../../../ui/TextField.tsx'

const kindNames = { defeito: 'Defeito', processo: 'Ajuste ou ensaio' } as const

/** Reasons of scrap in the order in which a press offers them; nothing is deleted, and no code changes. */
export function ScrapReasonsTab() {
  const mayChange = useMay('plans')
  const reading = useQuery(query(scrapReasons.list, {}))
  const [open, setOpen] = useState<'new' | ScrapReason | null>(null)
  const { data: list } = reading
  return (
    <div className="flex flex-col gap-4">
      {mayChange && (
        <div className="flex flex-wrap justify-end gap-2">
          <ButtonLink href={scrapReasons.sheet.path} target="_blank" icon={<Printer {...icon.md} />}>
            Imprimir folha
          </ButtonLink>
          <Button variant="primary" icon={<Plus {...icon.md} />} onPress={() => setOpen('new')}>
            Adicionar motivo
          </Button>
        </div>
      )}
      <ReadingState reading={reading} loadingText="Carregando motivos..." />
      {list && <ReasonTable list={list} onEdit={mayChange ? setOpen : null} />}
      {open && <ReasonDialog seen={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </div>
  )
}

type TableProps = { list: readonly ScrapReason[]; onEdit: ((reason: ScrapReason) => void) | null }

const ReasonTable = ({ list, onEdit }: TableProps) => (
  <Table label="Motivos de refugo" heightMax="max-h-none">
    <TableHead>
      <Th>Texto</Th>
      <Th>Etapa</Th>
      <Th>Tipo</Th>
      <Th>Situação</Th>
      {onEdit && <Th align="right">Ações</Th>}
    </TableHead>
    <TableBody>
      {list.map((reason, at) => (
        <Row key={reason.id}>
          <Td label="Texto">
            <span className="font-medium wrap-anywhere">{reason.texto}</span>
          </Td>
          <Td label="Etapa">{stageNames[reason.etapa]}</Td>
          <Td label="Tipo">{kindNames[reason.tipo]}</Td>
          <Td label="Situação">{reason.ativo ? 'Em uso' : <span className="text-muted">Desativado</span>}</Td>
          {onEdit && (
            <Td align="right">
              <Move reason={reason} before={list[at - 1]} label="Subir" />
              <Move reason={reason} before={list[at + 1]} label="Descer" />
              <IconButton
                label={`Editar ${reason.texto}`}
                tone="brand"
                icon={<Pencil {...icon.md} />}
                isDisabled={isFixed(reason.codigo)}
                onPress={() => onEdit(reason)}
              />
            </Td>
          )}
        </Row>
      ))}
    </TableBody>
  </Table>
)

const changeTo = ({ id, texto, ativo, version }: ScrapReason, posicao: number) =>
  call(scrapReasons.update, { params: { id }, body: { texto, posicao, ativo } }, { versionSeen: version })

type MoveProps = { reason: ScrapReason; before: ScrapReason | undefined; label: 'Subir' | 'Descer' }

/** Changes places with its neighbour. */
function Move({ reason, before: neighbour, label }: MoveProps) {
  const { save, isBusy } = useSave({
    send: async () => {
      if (!neighbour) return
      await changeTo(reason, neighbour.posicao)
      await changeTo(neighbour, reason.posicao)
    },
    changes: [scrapReasons.list],
  })
  const Arrow = label === 'Subir' ? ChevronUp : ChevronDown
  return (
    <IconButton
      label={`${label} ${reason.texto}`}
      icon={<Arrow {...icon.md} />}
      isDisabled={!neighbour || isBusy}
      onPress={() => save()}
    />
  )
}

type DialogProps = { seen: ScrapReason | null; onClose: () => void }

/** Mounted while it is open. */
function ReasonDialog({ seen, onClose }: DialogProps) {
  const [text, setText] = useState(seen?.texto ?? '')
  const [stage, setStage] = useState<ScrapReasonForm['etapa']>(seen?.etapa ?? 'crimpagem')
  const [kind, setKind] = useState<ScrapReasonForm['tipo']>(seen?.tipo ?? 'defeito')
  const [isActive, setActive] = useState(seen?.ativo ?? true)
  const { save, isBusy, failure } = useSave({
    send: (texto: string) =>
      seen
        ? changeTo({ ...seen, texto, ativo: isActive }, seen.posicao)
        : call(scrapReasons.create, { body: { texto, etapa: stage, tipo: kind } }),
    changes: [scrapReasons.list],
    toast: seen ? 'Motivo alterado.' : 'Motivo adicionado.',
    onSaved: onClose,
  })
  return (
    <FormDialog
      title={seen ? `Editar ${seen.texto}` : 'Novo motivo de refugo'}
      isValid={saysSomething(text)}
      {...{ isBusy, error: failure }}
      onSave={() => save(text.trim())}
      onClose={onClose}
    >
      <TextField
        label="Texto"
        isRequired
        autoFocus
        maxLength={REASON_TEXT_LENGTH_MAX}
        value={text}
        onChange={setText}
      />
      {seen ? (
        <SwitchField
          label="Em uso"
          description="Desativado, não é mais oferecido; os relatórios guardam o nome."
          isOn={isActive}
          onChange={setActive}
        />
      ) : (
        <>
          <SelectField
            label="Etapa"
            options={reasonStages}
            textOf={(one) => stageNames[one]}
            value={stage}
            onChange={(chosen) => chosen !== '' && setStage(chosen)}
          />
          <SelectField
            label="Tipo"
            options={reasonKinds}
            textOf={(one) => kindNames[one]}
            value={kind}
            onChange={(chosen) => chosen !== '' && setKind(chosen)}
          />
        </>
      )}
    </FormDialog>
  )
}
