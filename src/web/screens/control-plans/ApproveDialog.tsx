import { type ControlPlan, controlPlans } from '../../../contract/control-plans.ts'
import { planChanges } from '../../../contract/plan-changes.ts'
import { type PlanColumn, planColumns, planTexts } from '../../../domain/quality/control-plan-imports.ts'
import { milliText } from '../../../domain/quality/control-plans.ts'
import { call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { People } from './people.tsx'

/** All that the version says is in sight of who approves it. Mounted while it is open. */
export function ApproveDialog({ plan, onClose }: { plan: ControlPlan; onClose: () => void }) {
  const { id, version, terminal, bitola } = plan
  const { save, isBusy, failure } = useSave({
    send: () => call(planChanges.approve, { params: { id } }, { versionSeen: version }),
    changes: [controlPlans.list],
    toast: 'Plano aprovado.',
    onSaved: onClose,
  })
  const texts = planTexts(plan)
  const said = (Object.keys(planColumns) as PlanColumn[]).filter((column) => texts[column] !== '')
  return (
    <ConfirmDialog
      title="Aprovar o plano?"
      kind="info"
      confirmText="Aprovar"
      busyText="Aprovando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={() => save()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        O plano v{version} de {terminal}, {milliText(bitola)} mm², passa a valer, e a versão anterior termina ali.
      </p>
      <p className="flex flex-col">
        <People plan={plan} />
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
        {said.map((column) => (
          <div key={column} className="contents">
            <dt className="text-muted">{planColumns[column]}</dt>
            <dd className="font-medium wrap-anywhere">{texts[column]}</dd>
          </div>
        ))}
      </dl>
    </ConfirmDialog>
  )
}
