import { keepInTab, keptInTab } from '../../tab-storage.ts'

/** What was typed, and under which id which content was sent last: the same content keeps its id, also after a reload. */
export type CorrectionDraft<Form> = { form: Form; sent: { id: string; content: string } | null }

const keyOf = (id: string) => `correcao:${id}`

export const readCorrection = <Form>(id: string): CorrectionDraft<Form> | null =>
  keptInTab(keyOf(id)) as CorrectionDraft<Form> | null

export const keepCorrection = <Form>(id: string, draft: CorrectionDraft<Form>): void => keepInTab(keyOf(id), draft)

export const dropCorrection = (id: string): void => sessionStorage.removeItem(keyOf(id))
