import { useNavigate } from '@tanstack/react-router'
import { containmentNumber, readContainmentNumber } from '../../../domain/containments/balances.ts'
import { links } from '../../text/links.ts'
import { playSound } from '../scanner/sounds.ts'

/** Opens the containment whose number was read from a label. False: it is no such number. */
export function useOpenRead(): (text: string) => boolean {
  const navigate = useNavigate()
  return (text) => {
    const number = readContainmentNumber(text)
    if (number === null) return false
    playSound('good')
    void navigate({ to: links.containment, params: { id: containmentNumber(number) } })
    return true
  }
}
