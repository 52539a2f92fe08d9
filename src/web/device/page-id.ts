import { PAGE_ID_META } from '../../contract/settings.ts'

/** Of this very page; null in one that no build has named. */
export const findPageId = (): string | null =>
  document.querySelector<HTMLMetaElement>(`meta[name="${PAGE_ID_META}"]`)?.content ?? null
