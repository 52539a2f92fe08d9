/** What was typed, and under which id which content was sent last: the same content keeps its id, also after a reload. */
export type CorrectionDraft<Form> = { form: Form; sent: { id: string; content: string } | null }

const keyOf = (id: string) => `correcao:${id}`

export function readCorrection<Form>(id: string): CorrectionDraft<Form> | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null') as CorrectionDraft<Form> | null
  } catch {
    return null
  }
}

export function keepCorrection<Form>(id: string, draft: CorrectionDraft<Form>): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(draft))
  } catch {
    // A full storage costs the draft, not the form on screen.
  }
}

export const dropCorrection = (id: string): void => sessionStorage.removeItem(keyOf(id))
