/** The theme as a canvas needs it: colours as numbers, sizes in pixels. */
export type Look = {
  ink: string
  muted: string
  line: string
  surface: string
  /** Of what is wrong. */
  bad: string
  /** The two colours of every chart. */
  series: readonly [string, string]
  fontFamily: string
  /** Of small text. */
  fontPx: number
}

/** As the page shows it now: theme, and the text size that a person has chosen. */
export function readLook(): Look {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  // Asked of an element: the variables themselves hold both themes.
  const colour = (variable: string) => {
    probe.style.color = `var(${variable})`
    return getComputedStyle(probe).color
  }
  const look: Look = {
    ink: colour('--color-ink'),
    muted: colour('--color-muted'),
    line: colour('--color-line'),
    surface: colour('--color-surface'),
    bad: colour('--color-bad-fill'),
    series: [colour('--color-series-1'), colour('--color-series-2')],
    fontFamily: getComputedStyle(document.body).fontFamily,
    fontPx: 0.8125 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  }
  probe.remove()
  return look
}

/** Tells of another theme or text size, until the returned function is called. */
export function watchLook(onChange: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  // A preference is an attribute of the root.
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true })
  system.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', onChange)
  }
}
