import { useState } from 'react'
import { containmentDecisions } from '../../../../contract/containment-decisions.ts'
import {
  type Containment,
  type ContainmentWindow,
  containments,
  type WindowForm,
} from '../../../../contract/containments.ts'
import { undecidedText } from '../../../../domain/containments/balances.ts'
import { changedWindowText } from '../../../../domain/containments/subjects.ts'
import { useMay } from '../../../parts/permissions.tsx'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ReasonDialog } from '../ReasonDialog.tsx'
import { WindowDialog } from '../WindowDialog.tsx'
import { decidedAnswers } from './decide.ts'

const instantOf = (text: string | null) => (text === null ? null : Date.parse(text))

const endsOf = ({ inicio, fim, base }: ContainmentWindow) => ({
  ...{ startAt: instantOf(inicio), endAt: instantOf(fim), isOfOrder: base === 'ordem' },
})

/** Widens or, by who may decide, narrows the window of a containment that is open. */
export function Widen({ of }: { of: Containment }) {
  const [isOpen, setOpen] = useState(false)
  const { save, isBusy, failure } = useSave({
    send: (body: WindowForm) =>
      call(containments.changeWindow, { params: { id: of.id }, body }, { versionSeen: of.version }),
    changes: [containments.detail, containments.list, containments.items],
    isDoneWhenShown: true,
    toast: ({ janela }) => ({ kind: 'success', text: changedWindowText(endsOf(of.janela), endsOf(janela)) }),
    onSaved: () => setOpen(false),
  })
  return (
    <>
      <Button size="xl" onPress={() => setOpen(true)}>
        Ampliar
      </Button>
      {isOpen && (
        <WindowDialog
          window={of.janela}
          needsBoth={false}
          {...{ isBusy }}
          error={failure}
          onSave={save}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

type Question = 'encerrar' | 'engano' | 'reabrir'

const texts = {
  engano: {
    title: 'Aberta por engano',
    button: 'Liberar e encerrar',
    text: 'As peças que restam são liberadas, e a contenção é encerrada.',
  },
  reabrir: {
    title: 'Reabrir a contenção',
    button: 'Reabrir',
    text: 'As peças decididas continuam decididas.',
  },
} as const

/** Closing and opening again, for who may decide. */
export function EndActions({ of }: { of: Containment }) {
  const mayDispose = useMay('dispose')
  const [question, ask] = useState<Question | null>(null)
  const close = useEnd(of, 'encerrar', () => ask(null))
  const isClosable = undecidedText({ suspect: of.suspeitas, rework: of.retrabalho, divergent: of.divergentes }) === null
  if (!mayDispose) return null
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
      {of.situacao === 'encerrada' ? (
        <Button size="lg" onPress={() => ask('reabrir')}>
          Reabrir
        </Button>
      ) : (
        <>
          <Button size="lg" variant="quiet" onPress={() => ask('engano')}>
            Aberta por engano
          </Button>
          <Button size="lg" isDisabled={!isClosable} onPress={() => ask('encerrar')}>
            Encerrar
          </Button>
        </>
      )}
      {question === 'encerrar' && (
        <ConfirmDialog
          title={`Encerrar a contenção ${of.numero}?`}
          kind="info"
          confirmText="Encerrar"
          busyText="Encerrando..."
          isBusy={close.isBusy}
          error={close.failure}
          onConfirm={() => close.save('')}
          onClose={() => ask(null)}
        >
          <p>As peças saem dos avisos. Um apontamento que chegar depois a reabre.</p>
        </ConfirmDialog>
      )}
      {question !== null && question !== 'encerrar' && <WithReason of={of} kind={question} onClose={() => ask(null)} />}
    </div>
  )
}

/** Who closes what is decided gives no reason. */
const useEnd = ({ id, version }: Containment, question: Question, onSaved: () => void) =>
  useSave({
    send: (motivo: string) => {
      const [at, seen] = [{ params: { id } }, { versionSeen: version }]
      if (question === 'reabrir') return call(containmentDecisions.reopen, { ...at, body: { motivo } }, seen)
      const body = question === 'engano' ? { engano: true as const, motivo } : {}
      return call(containmentDecisions.close, { ...at, body }, seen)
    },
    changes: decidedAnswers,
    isDoneWhenShown: true,
    toast: question === 'reabrir' ? 'Contenção reaberta.' : 'Contenção encerrada.',
    onSaved,
  })

type WithReasonProps = { of: Containment; kind: keyof typeof texts; onClose: () => void }

function WithReason({ of, kind, onClose }: WithReasonProps) {
  const { title, button, text } = texts[kind]
  const { save, isBusy, failure } = useEnd(of, kind, onClose)
  return (
    <ReasonDialog title={title} saveText={button} {...{ isBusy, onClose }} error={failure} onSave={save}>
      {text}
    </ReasonDialog>
  )
}
