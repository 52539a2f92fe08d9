import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { refusals } from '../../contract/errors.ts'
import type { RecordingAnswer } from '../../contract/recordings.ts'
import { currentUser } from '../device/credentials.ts'
import { hasLocks, ifFree, whenFree } from '../device/locks.ts'
import { makeStore, type Store } from '../device/store.ts'
import { closeRefusals, showToast, type Toast, type ToastRequest } from '../device/toasts.ts'
import { isServerSilent } from '../server/api.ts'
import type { Act, PlaceOf } from './act.ts'
import { deliveryKeyOf, type FrozenAct, isOf, kindOf } from './kinds.ts'
import type { WaitingAct } from './queue.ts'
import { refusalWords, refusedField } from './refusal-words.ts'
import { freeze, type Outcome, type PressOutcome, problemOf, type Refusal, record } from './send.ts'
import { sendWaiting, showAnswer, showCounts, showTaken, subscribeToDeliveries } from './sender.ts'

const SENT_MESSAGE = 'O que estava salvo neste dispositivo foi enviado.'

type How = {
  /** Told 'salvo' before: what the operator did not know yet is that it left this device. */
  wasSaved: boolean
  subject: string
  /** About what waits on this device. */
  saved: ToastRequest
  action: Toast['action']
  /** Says it in the form itself; false: no room there. */
  onDone: (word: string) => boolean
  onRefused: (refusal: Refusal, code: string) => void
}

/** Tells the operator what became of it; of what waits for an answer or for its author, Pendências tells. */
function announce(act: FrozenAct, outcome: Outcome | PressOutcome, how: How): void {
  const { wasSaved, subject, saved, action, onDone, onRefused } = how
  const { messages, erp, isWarning } = kindOf(act)
  if (outcome.outcome === 'accepted') {
    const { status, message } = outcome.answer
    if (wasSaved && message === erp?.waiting) {
      if (!onDone('Enviado')) showToast({ kind: 'success', text: SENT_MESSAGE, subject })
    } else {
      const kind = status === 'enviado' && !isWarning?.(outcome.answer) ? 'success' : 'warning'
      if (kind === 'success') onDone('Registrado')
      showToast({ kind, text: message || messages.recorded, subject, action })
    }
  } else if (outcome.outcome === 'refused') {
    const { error } = outcome
    onRefused({ text: messages.refused(error), words: refusalWords(error), field: refusedField(error) }, error.code)
  } else if (outcome.outcome === 'saved') {
    if (!onDone('Salvo neste dispositivo')) showToast(saved)
  } else if (outcome.outcome === 'not_kept') {
    onRefused({ text: messages.notKept, field: null }, 'device_storage_failed')
  }
}

const NO_SESSION: Refusal = { text: refusals.session_missing.message, field: null }

/** A gloved finger that bounces must not register the rest of the order. */
const BOUNCE_MS = 1000

/** The form in which it was typed. Its steps are taken also after the screen was left. */
export type FormSteps = {
  /** Which 'Registrar' was pressed: a second click of it does nothing. */
  section: string
  /** The refused recording in whose place it is registered. */
  replaces?: string | undefined
  /** On disk: the form must not offer the same act again, not even after a crash. */
  onSaved?: (id: string) => void
  onRecorded?: () => void
  /** Called when the act was not recorded: it is still to be done. */
  onNotRecorded?: () => void
}

type Screen<F> = {
  /** The place shown: the queue's deliveries for it are announced. */
  place: Partial<PlaceOf<F>>
  /** Names the item beside the part and the pieces: 'item 000050'. */
  itemOf?: (act: F) => string | undefined
  onAccepted?: (act: F, answer: RecordingAnswer) => void
  /** The next step that an answer asks for, in its toast. */
  actionOf?: (act: F, answer: RecordingAnswer) => Toast['action']
  /** In place of 'salvo', where what waits on this device asks for more: the next success does not take it away. */
  savedWarningOf?: (act: F) => string | undefined
  /** Where the screen has a place of its own for what was done, in a word: a toast says only what the specification has it say. */
  onDone?: (act: F, word: string) => boolean
  /** Where the screen has a place of its own for what is wrong; else a toast tells. */
  onRefused?: (text: string) => void
  /** The form that says a refusal at its field, until a new try of that section begins. */
  refusals?: { startOver: (section: string) => void; take: (section: string, refusal: Refusal) => void }
}

/** Acts on disk behind another one of their place that is on its way: nobody has been told that they wait. */
function useFollowing() {
  const ids = useRef(new Set<string>())
  return {
    /** Sends it once the one before it has its answer. `say`: it waits all the same. */
    follow: ({ id }: FrozenAct, key: string, say: () => void) => {
      ids.current.add(id)
      void whenFree(key)
        .then(sendWaiting)
        .then(() => ids.current.delete(id) && say())
    },
    isFirstNews: ({ id }: FrozenAct, { outcome }: Outcome) => outcome !== 'unanswered' && ids.current.delete(id),
  }
}

/** Says once more, where the log-in came in the form's place, what the form had said of an act that is on this device alone. */
function useSaidHere() {
  const said = useRef<ToastRequest>(null)
  useEffect(
    () => () => {
      if (said.current && !currentUser()) showToast(said.current)
    },
    [],
  )
  return ({ outcome }: Outcome | PressOutcome, toast: ToastRequest) => {
    if (outcome === 'saved') said.current = toast
    // a delivery without an answer leaves it here
    else if (outcome === 'accepted' || outcome === 'refused') said.current = null
  }
}

/** Sections of which an act was pressed, and has no outcome yet. */
export type Pressed = Store<readonly string[]>

const withoutOne = (sections: readonly string[], section: string) =>
  sections.filter((_, at) => at !== sections.indexOf(section))

/** From the press until its outcome. Only what says so is drawn for it: the act goes to disk before a form is drawn. */
export const useIsBusy = ({ pressed }: { pressed: Pressed }, section = ''): boolean => pressed.use().includes(section)

function useUnderWay() {
  const [pressed] = useState(() => makeStore<readonly string[]>([]))
  const [onWay, setOnWay] = useState<readonly string[]>([])
  /** Read at once by the second click of a double click, when the screen has not been drawn again yet. */
  const locked = useRef(new Set<string>())
  return {
    pressed,
    isOnWay: (section: string) => onWay.includes(section),
    isLocked: (section: string) => locked.current.has(section),
    begin: (section: string, isLocking: boolean) => {
      if (isLocking) locked.current.add(section)
      pressed.set([...pressed.get(), section])
    },
    /** Drawn with the disk's answer, not after one more frame. */
    keep: (section: string, onSaved: () => void) =>
      flushSync(() => {
        onSaved()
        setOnWay((before) => [...before, section])
      }),
    end: (section: string) => {
      pressed.set(withoutOne(pressed.get(), section))
      setOnWay((before) => withoutOne(before, section))
      setTimeout(() => locked.current.delete(section), BOUNCE_MS)
    },
  }
}

/**
 * Registers what one screen records: what is in flight, and what the screen makes of each outcome. `isOnWay`: of a section, from
 * the disk until the outcome.
 */
export function useRecorder<F extends FrozenAct, Form>(
  kind: Act<F, Form>,
  { place, itemOf, onAccepted, onRefused, refusals, ...said }: Screen<F>,
) {
  const { pressed, isOnWay, ...underWay } = useUnderWay()
  const { follow, isFirstNews } = useFollowing()
  const noteSaidHere = useSaidHere()
  const workOf = (section: string) => JSON.stringify([place, section])

  const refuse = (section: string, refusal: Refusal, more: Partial<ToastRequest> = {}) => {
    const { text, field } = refusal
    if (onRefused) return onRefused(text)
    // what is missing is marked in its own field
    if (field !== undefined) refusals?.take(section, refusal)
    showToast({ kind: 'error', text, refusedWork: workOf(section), ...more })
  }
  const show = (act: F, outcome: Outcome | PressOutcome, wasSaved: boolean) => {
    const section = kind.work?.draft.sectionOf(kind.placeOf(act.payload)) ?? ''
    const subject = [kind.titleOf(act.payload), itemOf?.(act)].filter(Boolean).join(' · ')
    if (outcome.outcome === 'accepted') onAccepted?.(act, outcome.answer)
    const warning = said.savedWarningOf?.(act)
    const saved = { kind: warning ? 'warning' : 'saved', text: warning ?? kind.messages.saved, subject } as const
    noteSaidHere(outcome, saved)
    announce(act, outcome, {
      ...{ wasSaved, subject, saved },
      action: outcome.outcome === 'accepted' ? said.actionOf?.(act, outcome.answer) : undefined,
      onDone: (word) => said.onDone?.(act, word) ?? false,
      onRefused: (refusal, code) => refuse(section, refusal, { code, subject, stays: true }),
    })
  }
  const onDelivery = useEffectEvent((act: WaitingAct, outcome: Outcome) => {
    if (isOf(act, kind, place) && !act.answeredBefore) show(act, outcome, !isFirstNews(act, outcome))
  })
  useEffect(() => subscribeToDeliveries((...delivery) => onDelivery(...delivery)), [])

  const register = async (filled: Form, form?: FormSteps) => {
    const section = form?.section ?? ''
    if (underWay.isLocked(section)) return
    refusals?.startOver(section)
    closeRefusals(workOf(section))
    const refusal = kind.work?.refusalOf(filled)
    if (refusal) return refuse(section, { text: refusal })
    const act = freeze(kind, filled, form?.replaces)
    const problem = act.grant === '' ? NO_SESSION : problemOf(act)
    if (problem) return refuse(section, problem)
    underWay.begin(section, form !== undefined)
    const onSaved = () => form && underWay.keep(section, () => form.onSaved?.(act.id))
    const key = deliveryKeyOf(act)
    const tried = await ifFree(key, () => record(act, { isFree: true, onSaved, show: showTaken }))
    const outcome = tried ?? (await record(act, { isFree: false, onSaved, show: showTaken }))
    const isFollowing = !tried && outcome.outcome === 'saved' && hasLocks() && !isServerSilent()
    // in one drawing: no button is free before its form is that of the next act
    flushSync(() => {
      if (isFollowing) follow(act, key, () => show(act, outcome, false))
      else show(act, outcome, false)
      if (outcome.outcome === 'accepted' || outcome.outcome === 'saved') form?.onRecorded?.()
      else form?.onNotRecorded?.()
      underWay.end(section)
    })
    if (outcome.outcome === 'saved' && !isFollowing) void sendWaiting()
    if (outcome.outcome === 'accepted' || outcome.outcome === 'refused') {
      // an item of the answer was drawn as the act went from this device
      if (outcome.outcome === 'refused' || !outcome.answer.item) void showAnswer(act, null)
      void showCounts()
    }
  }

  return { register, pressed, isOnWay }
}
