import { makeStore } from './store.ts'

/** 'saved': done as far as this device goes. */
export type ToastKind = 'success' | 'saved' | 'error' | 'warning'

export type Toast = {
  id: number
  kind: ToastKind
  title: string
  text: string
  /** Something a person can repeat on the phone. */
  code?: string | undefined
  /** Says what is not saved: stays until it is closed. */
  stays: boolean
}

const titles: Record<ToastKind, string> = { success: 'Sucesso', saved: 'Salvo', error: 'Erro', warning: 'Atenção' }

let nextId = 1
const toasts = makeStore<readonly Toast[]>([])

type ToastRequest = Pick<Toast, 'kind' | 'text' | 'code'> & { title?: string; stays?: boolean }

/** Says the same thing once at a time. Hides after 5 s unless it `stays` (decision 028). */
export function showToast({ kind, text, code, title, stays = false }: ToastRequest): void {
  const toast = { id: nextId++, kind, text, code, title: title ?? titles[kind] }
  const others = toasts.get().filter((other) => other.kind !== kind || other.text !== text || other.code !== code)
  toasts.set([...others.slice(-3), { ...toast, stays }])
}

export const closeToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id))

export const useToasts = (): readonly Toast[] => toasts.use()
