/** Hands a file to the person, as a download of this name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The download reads it after this event.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
