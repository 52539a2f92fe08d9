import { CornerDownLeft, Delete } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

/** A finger on a screen that has room for it beside the boxes; on a phone the device's own keyboard comes. */
export const hasKeypad = (): boolean => window.matchMedia('(pointer: coarse) and (width >= 48rem)').matches

const characters = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ',', '0'] as const
export type KeypadKey = (typeof characters)[number] | 'Backspace' | 'Enter'

/** Digits for gloves; the cursor stays in its box. */
export const Keypad = ({ onKey }: { onKey: (key: KeypadKey) => void }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and these are keys
  <div
    role="group"
    aria-label="Teclado da medição"
    className="grid grid-cols-3 gap-2 *:text-2xl"
    onPointerDown={(event) => event.preventDefault()}
    onMouseDown={(event) => event.preventDefault()}
  >
    {characters.map((key) => (
      <Button key={key} size="xl" wide onPress={() => onKey(key)} {...(key === ',' ? { 'aria-label': 'Vírgula' } : {})}>
        {key}
      </Button>
    ))}
    <Button size="xl" wide icon={<Delete {...icon.lg} />} aria-label="Apagar" onPress={() => onKey('Backspace')}>
      {''}
    </Button>
    <div className="col-span-3">
      <Button size="xl" wide icon={<CornerDownLeft {...icon.lg} />} onPress={() => onKey('Enter')}>
        Próxima
      </Button>
    </div>
  </div>
)
