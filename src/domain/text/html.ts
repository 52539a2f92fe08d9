const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text that says only itself in a page. */
export const html = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')
