import { ArrowUp, CalendarClock, RotateCcw, Save } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { COMMENTS_LENGTH_MAX } from '../../../contract/crimp-counters.ts'
import { refusals } from '../../../contract/errors.ts'
import { DateField } from '../../parts/fields/DateField.tsx'
import { DecimalField } from '../../parts/fields/DecimalField.tsx'
import { Denied, useMay } from '../../parts/permissions.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { focusFirstWrong, MaintenanceRecordFields, ResetDialog } from './ResetDialog.tsx'
import { type Scheduling, weekdayText } from './scheduling.ts'

type Props = {
  scheduling: Scheduling
  orderBox: RefObject<HTMLInputElement | null>
  /** Back to the row that the form is about. */
  onLeave: () => void
}

/** When and under which order the selected unit goes into maintenance, and that it has been there. */
export function SchedulePanel({ scheduling, orderBox, onLeave }: Props) {
  const { unit, isGone, isBusy, save } = scheduling
  const [isResetting, setResetting] = useState(false)
  const dayBox = useRef<HTMLInputElement>(null)
  const maySchedule = useMay('tools')
  const isDisabled = unit === null || isGone || !maySchedule
  const submit = (form: HTMLFormElement) => {
    if (isDisabled) return
    const problems = save()
    const wrong = problems.serviceOrder ? orderBox : problems.maintenanceDate ? dayBox : null
    wrong?.current?.focus()
    if (!wrong) focusFirstWrong(form)
  }
  const hear = ({ key }: KeyboardEvent) => key === 'Escape' && onLeave()
  return (
    <Section
      title="Detalhes Agendamento"
      icon={<CalendarClock {...icon.md} />}
      badge={
        <span className="lg:hidden">
          <IconButton label="Voltar à lista" icon={<ArrowUp {...icon.md} />} onPress={onLeave} />
        </span>
      }
    >
      <Form onSubmit={submit} onKeyDown={hear} noValidate className="flex flex-col gap-4 **:scroll-mb-24">
        <Notices scheduling={scheduling} />
        <Fields scheduling={scheduling} isDisabled={isDisabled} orderBox={orderBox} dayBox={dayBox}>
          {useMay('limits') ? (
            <Button icon={<RotateCcw {...icon.md} />} isDisabled={isDisabled} onPress={() => setResetting(true)}>
              ZERAR CRIMPAGENS
            </Button>
          ) : (
            <Denied permission="limits" />
          )}
        </Fields>
        {/* In sight however long the form is, and far from what empties the counter. */}
        <div className="sticky bottom-0 -mx-4 -mb-4 rounded-b-lg border-t border-line bg-surface p-4 *:w-full">
          <Button
            type="submit"
            variant="primary"
            icon={<Save {...icon.md} />}
            isDisabled={isDisabled}
            busy={isBusy}
            busyText="SALVANDO..."
          >
            SALVAR DETALHES
          </Button>
        </div>
      </Form>
      {isResetting && unit && (
        <ResetDialog
          unit={unit}
          isTyped={scheduling.isTyped}
          onDone={() => scheduling.finish('Contador de crimpagens resetado com sucesso.')}
          onClose={() => setResetting(false)}
        />
      )}
    </Section>
  )
}

function Notices({ scheduling }: { scheduling: Scheduling }) {
  const { unit, isGone, isChosen, isChanged, notice, setNotice, takeCurrent, discard } = scheduling
  const frame = useRef<HTMLDivElement>(null)
  // The buttons may have been disabled under the focus, and the list is another now; not from a unit chosen meanwhile.
  const takeFocus = useEffectEvent(() => {
    if (!isChosen) frame.current?.focus()
  })
  useEffect(() => {
    if (notice?.kind === 'success') takeFocus()
  }, [notice])
  return (
    <div ref={frame} tabIndex={-1} className="flex flex-col gap-2 rounded-lg outline-none empty:hidden">
      {isGone && (
        <Alert kind="warning" action={<Button onPress={discard}>Fechar</Button>}>
          {unit?.miniaplicator} não aguarda mais manutenção: outra pessoa zerou o contador ou alterou o limite.
        </Alert>
      )}
      {isChanged && (
        <Alert isUntitled action={<Button onPress={() => void takeCurrent()}>Recarregar</Button>}>
          {refusals.changed_meanwhile.message}
        </Alert>
      )}
      {notice && (
        <Alert kind={notice.kind} isUntitled {...(notice.kind === 'error' ? { onDismiss: () => setNotice(null) } : {})}>
          {notice.text}
        </Alert>
      )}
    </div>
  )
}

type FieldsProps = Omit<Props, 'onLeave'> & {
  isDisabled: boolean
  dayBox: RefObject<HTMLInputElement | null>
  /** Buttons that change the unit itself. */
  children: ReactNode
}

function Fields({ scheduling, isDisabled, orderBox, dayBox, children }: FieldsProps) {
  const { unit, form, stored, problems, today, type } = scheduling
  return (
    <>
      <TextField
        label="Número do Mini Aplicador"
        value={unit?.miniaplicator ?? ''}
        onChange={() => undefined}
        isReadOnly
        code
        // in the box and not below it: the fields below must not move once a unit is chosen
        placeholder="Selecione um mini aplicador na tabela."
      />
      {children}
      <DecimalField
        label="Ordem de Serviço"
        decimals={0}
        maxLength={9}
        value={form.serviceOrder}
        onChange={(serviceOrder) => type({ serviceOrder })}
        isRequired
        isDisabled={isDisabled}
        description={stored.serviceOrder}
        error={problems.serviceOrder}
        inputRef={orderBox}
      />
      <DateField
        // what was half typed was meant for the unit before
        key={`day ${unit?.miniaplicator}`}
        label="Previsão de Manutenção"
        aheadOf={today}
        value={form.maintenanceDate}
        onChange={(maintenanceDate) => type({ maintenanceDate })}
        isRequired
        isDisabled={isDisabled}
        error={problems.maintenanceDate}
        description={[form.maintenanceDate && weekdayText(form.maintenanceDate), stored.maintenanceDate]
          .filter(Boolean)
          .join(' · ')}
        inputRef={dayBox}
      />
      <TextArea
        label="Informações Adicionais"
        maxLength={COMMENTS_LENGTH_MAX}
        value={form.comments}
        onChange={(comments) => type({ comments: comments.replaceAll('\t', ' ') })}
        isDisabled={isDisabled}
        description={stored.comments}
      />
      <MaintenanceRecordFields
        key={unit?.miniaplicator}
        form={form}
        problems={problems}
        onChange={type}
        isDisabled={isDisabled}
      />
    </>
  )
}
