import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Ruler, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import {
  DESCRIPTION_LENGTH_MAX,
  INSTRUMENT_CODE_LENGTH_MAX,
  type Instrument,
  type InstrumentForm,
  type InstrumentKind,
  instrumentKinds,
  instruments,
} from '../../../contract/instruments.ts'
import { saysSomething } from '../../../contract/values.ts'
import { dayText, plantDay } from '../../../domain/plant/plant-time.ts'
import { milliText, readMilli } from '../../../domain/quality/control-plans.ts'
import { instrumentKindTexts, isCalibrationDue } from '../../../domain/quality/instruments.ts'
import { serverNow } from '../../device/clock.ts'
import { SuspectLink } from '../../parts/containments/SuspectLink.tsx'
import { DateField } from '../../parts/fields/DateField.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useSettings } from '../../parts/settings.ts'
import { TraceAll } from '../../parts/traces/TraceAll.tsx'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { TextField } from '../../ui/TextField.tsx'

/** Gauges, and until when each may be trusted. */
export function InstrumentsTab() {
  const mayChange = useMay('plans')
  const reading = useQuery(query(instruments.list, {}))
  const [open, setOpen] = useState<'new' | Instrument | null>(null)
  const { data: list } = reading
  return (
    <div className="flex flex-col gap-4">
      {mayChange && (
        <div className="flex justify-end">
          <Button variant="primary" icon={<Plus {...icon.md} />} onPress={() => setOpen('new')}>
            Adicionar instrumento
          </Button>
        </div>
      )}
      <ReadingState reading={reading} loadingText="Carregando instrumentos..." />
      {list?.length === 0 && <EmptyState icon={<Ruler {...icon.xl} />}>Nenhum instrumento cadastrado.</EmptyState>}
      {list && list.length > 0 && <InstrumentTable list={list} onEdit={mayChange ? setOpen : null} />}
      {open && <InstrumentDialog seen={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </div>
  )
}

type TableProps = { list: readonly Instrument[]; onEdit: ((instrument: Instrument) => void) | null }

const InstrumentTable = ({ list, onEdit }: TableProps) => (
  <Table label="Instrumentos" heightMax="max-h-none">
    <TableHead>
      <Th>Código</Th>
      <Th>Descrição</Th>
      <Th>Tipo</Th>
      <Th>Resolução</Th>
      <Th>Calibrado até</Th>
      <Th>Situação</Th>
      {onEdit && <Th align="right">Ações</Th>}
    </TableHead>
    <TableBody>
      {list.map((instrument) => (
        <Row key={instrument.id}>
          <Td label="Código">
            <span className="flex flex-col max-md:items-end">
              <span className="code font-medium wrap-anywhere">{instrument.codigo}</span>
              <span className="flex flex-wrap gap-x-4">
                <TraceAll term={instrument.codigo} kind="instrumento" />
                <SuspectLink subject={{ tipo: 'instrumento', termo: instrument.codigo }} label={instrument.codigo} />
              </span>
            </span>
          </Td>
          <Td label="Descrição" isBlank={instrument.descricao === ''}>
            <span className="min-w-0 wrap-anywhere">{instrument.descricao}</span>
          </Td>
          <Td label="Tipo" isBlank={!instrument.tipo}>
            {instrument.tipo && instrumentKindTexts[instrument.tipo]}
          </Td>
          <Td label="Resolução">{milliText(instrument.resolucao, 3)}</Td>
          <Td label="Calibrado até">
            <Calibration day={instrument.calibradoAte} />
          </Td>
          <Td label="Situação">{instrument.ativo ? 'Em uso' : <span className="text-muted">Inativo</span>}</Td>
          {onEdit && (
            <Td align="right">
              <IconButton
                label={`Editar ${instrument.codigo}`}
                tone="brand"
                icon={<Pencil {...icon.md} />}
                onPress={() => onEdit(instrument)}
              />
            </Td>
          )}
        </Row>
      ))}
    </TableBody>
  </Table>
)

function Calibration({ day }: { day: string | undefined }) {
  const { timeZone } = useSettings()
  if (day === undefined) return '-'
  const today = plantDay(serverNow(), timeZone)
  return (
    <span className="inline-flex flex-wrap items-center gap-2 max-md:justify-end">
      {dayText(day)}
      {isCalibrationDue(day, today) && (
        <Badge tone="warn" icon={<TriangleAlert {...icon.sm} />}>
          {day < today ? 'vencida' : 'a vencer'}
        </Badge>
      )}
    </span>
  )
}

/** Left out where it is as before: a server of the version before knows no kinds. */
const kindOf = (kind: InstrumentKind | '', seen: Instrument | null): Pick<InstrumentForm, 'tipo'> =>
  kind === '' || kind === seen?.tipo ? {} : { tipo: kind }

type DialogProps = { seen: Instrument | null; onClose: () => void }

/** Mounted while it is open. */
function InstrumentDialog({ seen, onClose }: DialogProps) {
  const [code, setCode] = useState(seen?.codigo ?? '')
  const [description, setDescription] = useState(seen?.descricao ?? '')
  const [resolution, setResolution] = useState(seen ? milliText(seen.resolucao, 3) : '')
  const [kind, setKind] = useState<InstrumentKind | ''>(seen?.tipo ?? '')
  const [day, setDay] = useState(seen?.calibradoAte ?? '')
  const [isActive, setActive] = useState(seen?.ativo ?? true)
  const { save, isBusy, failure } = useSave({
    send: (body: InstrumentForm) =>
      seen
        ? call(instruments.update, { params: { id: seen.id }, body }, { versionSeen: seen.version })
        : call(instruments.create, { body }),
    changes: [instruments.list],
    toast: seen ? 'Instrumento alterado.' : 'Instrumento cadastrado.',
    onSaved: onClose,
  })
  const resolucao = readMilli(resolution) || null
  const form =
    resolucao === null ? null : { codigo: code.trim(), descricao: description.trim(), resolucao, ativo: isActive }
  return (
    <FormDialog
      title={seen ? `Editar ${seen.codigo}` : 'Novo instrumento'}
      isValid={saysSomething(code) && form !== null}
      isBusy={isBusy}
      error={failure}
      onSave={() => form && save({ ...form, ...kindOf(kind, seen), ...(day === '' ? {} : { calibradoAte: day }) })}
      onClose={onClose}
    >
      <TextField
        label="Código"
        isRequired
        autoFocus
        code
        autoCapitalize="characters"
        maxLength={INSTRUMENT_CODE_LENGTH_MAX}
        value={code}
        onChange={setCode}
      />
      <TextField label="Descrição" maxLength={DESCRIPTION_LENGTH_MAX} value={description} onChange={setDescription} />
      <SelectField
        label="Tipo"
        {...(seen?.tipo ? {} : { placeholder: 'Não informado' })}
        options={instrumentKinds}
        textOf={(one) => instrumentKindTexts[one]}
        value={kind}
        onChange={setKind}
      />
      <TextField
        label="Resolução"
        isRequired
        code
        inputMode="decimal"
        placeholder="0,001"
        value={resolution}
        onChange={setResolution}
        error={
          resolution !== '' && resolucao === null ? 'Esperado um número com até 3 casas, por exemplo 0,001' : undefined
        }
      />
      <DateField label="Calibrado até" value={day} onChange={setDay} />
      <SwitchField
        label="Em uso"
        description="O que não se usa mais fica guardado como inativo."
        isOn={isActive}
        onChange={setActive}
      />
    </FormDialog>
  )
}
