/** Where the panel stands below the list, a press on a row would otherwise seem to do nothing. */
export function bringIntoView(panel: HTMLElement | null): void {
  if (window.matchMedia('(width < 64rem)').matches) panel?.scrollIntoView({ block: 'start' })
}
