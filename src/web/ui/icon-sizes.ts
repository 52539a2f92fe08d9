/** Icons come from one family, with one stroke, in these sizes. */
export const icon = {
  sm: { size: 16, strokeWidth: 2, 'aria-hidden': true },
  md: { size: 20, strokeWidth: 2, 'aria-hidden': true },
  lg: { size: 24, strokeWidth: 2, 'aria-hidden': true },
  xl: { size: 40, strokeWidth: 1.5, 'aria-hidden': true },
} as const
