import { useQuery } from '@tanstack/react-query'
import { Download, FileUp, FilterX, ListPlus, Plus, Printer, SearchX } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { type ControlPlan, controlPlans } from '../../../contract/control-plans.ts'
import { planChanges } from '../../../contract/plan-changes.ts'
import { milliText } from '../../../domain/quality/control-plans.ts'
import { planFileName } from '../../../domain/quality/plan-versions.ts'
import { deferred } from '../../device/deferred.ts'
import { useFilterKey } from '../../parts/FilterField.tsx'
import { lateDialog } from '../../parts/Late.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { useServerFile } from '../../parts/useServerFile.ts'
import { call, callForFile } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card, EmptyState } from '../../ui/Page.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { AlikePlans } from './AlikePlans.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import { type PlanAct, PlanTable } from './PlanTable.tsx'
import { PrintedPlans } from './PrintedPlans.tsx'

const ApproveDialog = lateDialog(deferred(async () => (await import('./ApproveDialog.tsx')).ApproveDialog))
const ImportDialog = lateDialog(deferred(async () => (await import('./ImportDialog.tsx')).ImportDialog))

type Open = PlanAct | { act: 'add' | 'import' }

type Filters = { terminal: string; gauge: string; isAll: boolean }
const everything: Filters = { terminal: '', gauge: '', isAll: false }

const folded = (text: string): string => text.trim().toLocaleLowerCase('pt-BR')

const fits = ({ terminal, bitola }: ControlPlan, filters: Filters): boolean =>
  folded(terminal).includes(folded(filters.terminal)) &&
  milliText(bitola).includes(filters.gauge.trim().replace('.', ','))

export function PlansTab() {
  const mayChange = useMay('plans')
  const [filters, setFilters] = useState(everything)
  const [open, setOpen] = useState<Open | null>(null)
  const reading = useQuery(query(controlPlans.list, { query: filters.isAll ? {} : { vigente: 'sim' } }))
  const { data: plans } = reading
  const deferred = useDeferredValue(filters)
  const shown = useMemo(() => plans?.filter((plan) => fits(plan, deferred)), [plans, deferred])
  const close = () => setOpen(null)
  return (
    <div className="flex flex-col gap-4">
      <PlanFilters filters={filters} onChange={setFilters} />
      <Actions onOpen={mayChange ? setOpen : null} isEmpty={!shown || shown.length === 0} />
      {plans && <AlikePlans plans={plans} onEnd={mayChange ? (plan) => setOpen({ act: 'end', plan }) : null} />}
      <ReadingState reading={reading} loadingText="Carregando planos de controle..." />
      {plans?.length === 0 && (
        <EmptyState icon={<ListPlus {...icon.xl} />}>
          Nenhum plano de controle. Clique em "Adicionar" para criar o primeiro, ou importe uma planilha.
        </EmptyState>
      )}
      {plans && plans.length > 0 && shown?.length === 0 && (
        <EmptyState icon={<SearchX {...icon.xl} />}>Nenhum registro encontrado com os filtros aplicados.</EmptyState>
      )}
      {plans && shown && shown.length > 0 && (
        <>
          <PlanTable plans={shown} total={plans.length} onAct={mayChange ? setOpen : null} />
          <PrintedPlans plans={shown} />
        </>
      )}
      {(open?.act === 'add' || open?.act === 'edit') && (
        <PlanDialog seen={open.act === 'edit' ? open.plan : null} onClose={close} />
      )}
      {open?.act === 'end' && <EndDialog plan={open.plan} onClose={close} />}
      {open?.act === 'approve' && <ApproveDialog plan={open.plan} onClose={close} />}
      {open?.act === 'import' && <ImportDialog onClose={close} />}
    </div>
  )
}

function PlanFilters({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const firstBox = useRef<HTMLInputElement>(null)
  useFilterKey(firstBox)
  const clear = () => {
    onChange(everything)
    firstBox.current?.focus()
  }
  const boxes = [
    ['terminal', 'Filtrar por terminal', firstBox],
    ['gauge', 'Filtrar por bitola', null],
  ] as const
  return (
    <Card>
      <div className="flex flex-wrap items-end gap-4">
        {boxes.map(([name, label, inputRef]) => (
          <div key={name} className="min-w-40 flex-1 max-md:min-w-full">
            <TextField
              label={label}
              placeholder="Digite para filtrar"
              {...(inputRef ? { inputRef } : {})}
              value={filters[name]}
              onChange={(text) => onChange({ ...filters, [name]: text })}
            />
          </div>
        ))}
        <SwitchField
          label="Versões anteriores"
          isOn={filters.isAll}
          onChange={(isAll) => onChange({ ...filters, isAll })}
        />
        <Button size="lg" icon={<FilterX {...icon.md} />} isDisabled={filters === everything} onPress={clear}>
          Limpar filtros
        </Button>
      </div>
    </Card>
  )
}

function Actions({ onOpen, isEmpty }: { onOpen: ((open: Open) => void) | null; isEmpty: boolean }) {
  const file = useServerFile({
    ask: () => callForFile(planChanges.csv, { query: {} }),
    nameOf: planFileName,
  })
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button icon={<Download {...icon.md} />} busy={file.isBusy} busyText="Exportando..." onPress={file.onPress}>
        Exportar CSV
      </Button>
      <Button icon={<Printer {...icon.md} />} isDisabled={isEmpty} onPress={() => window.print()}>
        Imprimir
      </Button>
      {onOpen && (
        <>
          <Button icon={<FileUp {...icon.md} />} onPress={() => onOpen({ act: 'import' })}>
            Importar CSV
          </Button>
          <Button variant="primary" icon={<Plus {...icon.md} />} onPress={() => onOpen({ act: 'add' })}>
            Adicionar
          </Button>
        </>
      )}
    </div>
  )
}

function EndDialog({ plan, onClose }: { plan: ControlPlan; onClose: () => void }) {
  const { id, version, terminal, bitola, aguardaAprovacao } = plan
  const { save, isBusy, failure } = useSave({
    send: () => call(planChanges.end, { params: { id } }, { versionSeen: version }),
    changes: [controlPlans.list],
    toast: 'Plano encerrado.',
    onSaved: onClose,
  })
  return (
    <ConfirmDialog
      title="Encerrar o plano?"
      kind="warning"
      confirmText="Encerrar"
      busyText="Encerrando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        O plano v{version} de {terminal}, {milliText(bitola)} mm²,{' '}
        {aguardaAprovacao ? 'não chega a valer' : 'deixa de valer agora'}. Ele fica guardado em "Versões anteriores".
      </p>
    </ConfirmDialog>
  )
}
