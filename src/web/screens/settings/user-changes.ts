import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../api.ts'
import { showToast } from '../../ui/toasts.ts'

/** Changes a user; done when the list shows it. */
export function useUserChange(change: () => Promise<unknown>, doneText: string, onDone: () => void) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: change,
    onSuccess: () => {
      showToast({ kind: 'success', text: doneText })
      onDone()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  return { isBusy: isPending, error: error && errorText(error), onSave: () => mutate() }
}

/** Without those that are taken for one another when they are read out or copied by hand. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Four groups of three: 59 bits, and typed on a tablet without changing the keyboard twice per letter. */
export function newPassword(): string {
  const letters: string[] = []
  while (letters.length < 12) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // The rest of 256 would make the first letters likelier.
    if (byte < LETTERS.length * 8) letters.push(LETTERS.charAt(byte % LETTERS.length))
  }
  return [0, 3, 6, 9].map((at) => letters.slice(at, at + 3).join('')).join('-')
}
