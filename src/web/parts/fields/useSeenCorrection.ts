import { useRef } from 'react'

/**
 * Brings what was typed within its bounds, and knows whether the operator has seen it. `correct` warns of what it
 * changes, and says whether it did.
 */
export function useSeenCorrection<Section>(correct: (section: Section) => boolean) {
  const correctedInPress = useRef(false)
  return {
    onLeaveField: (section: Section) => {
      if (correct(section)) correctedInPress.current = true
    },
    /** Before the press takes the focus from a field: what was corrected earlier has been seen. */
    onPressStart: () => {
      correctedInPress.current = false
    },
    /** False when this very press corrected something: the next one registers it. */
    isSeen: (section: Section): boolean => {
      const isUnseen = correctedInPress.current || correct(section)
      correctedInPress.current = false
      return !isUnseen
    },
  }
}
