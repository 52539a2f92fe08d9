import { makeStore } from './store.ts'

/** 'saved': done as far as this device goes. */
type ToastKind = 'success' | 'saved' | 'error' | 'warning'

export type Toast = {
  id: number
  kind: ToastKind
  title: string
  text: string
  /** The recorded work: 'Cabo · 10 peças · item 000050'. */
  subject?: string | undefined
  /** The work whose refusal it is: the next try takes it away. */
  refusedWork?: string | undefined
  /** Something a person can repeat on the phone. */
  code?: string | undefined
  /** The way to put it right; pressed, it closes the toast. */
  action?: { text: string; go: () => void } | undefined
  /** Says what is not saved: stays until it is closed. */
  stays: boolean
}

const titles: Record<ToastKind, string> = { success: 'Sucesso', saved: 'Salvo', error: 'Erro', warning: 'Atenção' }

let nextId = 1
const toasts = makeStore<readonly Toast[]>([])

export type ToastRequest = Pick<Toast, 'kind' | 'text' | 'subject' | 'refusedWork' | 'code' | 'action'> & {
  title?: string
  stays?: boolean
}

/** Of successes only the newest is shown: the work goes on below them. */
export const isSuccess = ({ kind }: Pick<Toast, 'kind'>) => kind === 'success' || kind === 'saved'

/** Says the same thing once at a time. Hides after 5 s unless it `stays` (decision 028). */
export function showToast({ title, stays = false, ...said }: ToastRequest): void {
  const { kind, text, subject, code } = said
  const isSame = (one: Toast) => one.kind === kind && one.text === text && one.subject === subject && one.code === code
  const others = toasts.get().filter((one) => !isSame(one) && !(isSuccess(said) && isSuccess(one)))
  toasts.set([...others.slice(-3), { ...said, id: nextId++, title: title ?? titles[kind], stays }])
}

export const closeToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id))

/** A new try of that work begins. */
export function closeRefusals(work: string): void {
  const left = toasts.get().filter(({ refusedWork }) => refusedWork !== work)
  if (left.length < toasts.get().length) toasts.set(left)
}

export const useToasts = (): readonly Toast[] => toasts.use()
