import type { ListStyle } from './answers.ts'
import type { Draw, Fault } from './faults.ts'

/**
 * `clean`: tidy. `realistic`: padded text, numbers as text here and there. `dirty`: says the same as `realistic` in
 * every shape of the field. `hostile`: `realistic` with one fault or another in every third call.
 */
export const profileNames = ['clean', 'realistic', 'dirty', 'hostile'] as const
export type ProfileName = (typeof profileNames)[number]

export type Profile = {
  style: ListStyle
  /** What goes wrong by itself: of each draw one fault or none. */
  draws: readonly Draw[]
}

const tidy: ListStyle = { padded: false, numbers: 'plain', envelope: 'items', endless: false }
const padded: ListStyle = { ...tidy, padded: true, numbers: 'mixed' }

const fault = (id: Fault['id'], more: Partial<Fault> = {}): Fault => ({ id, ...more })

/** Each draw bends another side of an answer, so that any mixture of them can still be read. */
const everyShape: readonly Draw[] = [
  [
    [null, 2],
    ...['array', 'data', 'itens', 'single', 'dataSingle', 'capitals'].map(
      (variant) => [fault('F25', { variant }), 1] as const,
    ),
    [fault('F27'), 1],
  ],
  [
    [null, 1],
    [fault('F26'), 1],
  ],
  [
    [null, 2],
    [fault('F13', { variant: 'dress' }), 2],
    ...(['F09', 'F10', 'F18', 'F19', 'F20'] as const).map((id) => [fault(id, { variant: 'dress' }), 1] as const),
  ],
  // last of those that rewrite the text: what comes after would have to read it
  [
    [null, 2],
    [fault('F15'), 1],
    [fault('F16'), 1],
    [fault('F17'), 1],
    [fault('F17', { variant: 'cp1252' }), 1],
  ],
  [
    [null, 2],
    [fault('F14'), 1],
  ],
]

/** Held calls are held in real time: `slowness` 0 is for who cannot wait, 1 as in the field. */
function anyFault(slowness: number, acceptTimeoutMs: number): Draw {
  const delayed = (id: Fault['id'], ms: number) => [fault(id, { ms: ms * slowness }), 4] as const
  const passing = [
    'F04',
    'F05',
    'F06',
    'F07',
    'F08',
    'F10',
    'F11',
    'F12',
    'F13',
    'F14',
    'F15',
    'F16',
    'F17',
    'F18',
  ] as const
  const ambiguous = ['F34', 'F35', 'F36', 'F37', 'F38', 'F39'] as const
  const also = ['F22', 'F23', 'F25', 'F26', 'F27', 'F28', 'F31', 'F32'] as const
  const refusing = ['F09', 'F19', 'F20', 'F24', 'F40'] as const
  /** Their trace stays in the ERP. */
  const lasting = ['F29', 'F30', 'F33'] as const
  const struck = [
    delayed('F01', 4000),
    delayed('F02', 5000),
    delayed('F03', acceptTimeoutMs),
    delayed('F21', 20_000),
    [fault('F06', { variant: 'reset' }), 4] as const,
    ...[...passing, ...also].map((id) => [fault(id), 4] as const),
    ...[...refusing, ...ambiguous].map((id) => [fault(id), 2] as const),
    ...lasting.map((id) => [fault(id), 1] as const),
  ]
  return [[null, 2 * struck.reduce((sum, [, weight]) => sum + weight, 0)], ...struck]
}

export function makeProfile(
  name: ProfileName,
  { speed, acceptTimeoutMs }: { speed: number; acceptTimeoutMs: number },
): Profile {
  if (name === 'clean') return { style: tidy, draws: [] }
  if (name === 'realistic') return { style: padded, draws: [] }
  return { style: padded, draws: name === 'dirty' ? everyShape : [anyFault(speed, acceptTimeoutMs)] }
}
