type Props = {
  /** As they are typed, in mm. */
  height: string
  width: string
  insulationHeight: string
}

const ink = 'var(--color-ink)'
const metal = { fill: 'var(--color-track)', stroke: ink, strokeWidth: 1.5 }
/** Strands in the barrel, in their rows. */
const strands = [
  [98, 96],
  [114, 96],
  [130, 96],
  [146, 96],
  [162, 96],
  [106, 82],
  [154, 82],
  [104, 66],
  [156, 66],
] as const

/** Cut through both crimps of a terminal: where each figure of a plan is measured. */
export const CrimpSection = ({ height, width, insulationHeight }: Props) => (
  <svg
    role="img"
    aria-label="Corte da crimpagem: altura e largura no condutor, altura no isolante"
    viewBox="0 34 470 118"
    className="mx-auto w-full max-w-lg"
  >
    <path
      d="M92,112Q80,112 80,100V62C80,36 122,34 130,54C138,34 180,36 180,62V100Q180,112 168,112Z"
      strokeLinejoin="round"
      {...metal}
    />
    <path d="M130,54V84" fill="none" stroke={ink} strokeWidth={1.5} />
    {strands.map(([cx, cy]) => (
      <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r={6.5} fill="var(--color-warn-fill)" stroke={ink} />
    ))}
    <Measure path="M62,42V112M56,42H68M56,112H68" at={[50, 74]} anchor="end" name="Altura" value={height} />
    <Measure path="M80,126H180M80,120V132M180,120V132" at={[190, 130]} anchor="start" name="Largura" value={width} />
    <path d="M262,112Q254,112 254,100V74C254,30 330,30 330,74V100Q330,112 322,112Z" strokeLinejoin="round" {...metal} />
    <circle cx={292} cy={78} r={30} fill="var(--color-brand-soft)" stroke={ink} strokeWidth={1.5} />
    <circle cx={292} cy={78} r={14} fill="var(--color-warn-fill)" stroke={ink} />
    <Measure
      {...{ path: 'M348,41V112M342,41H354M342,112H354', at: [360, 74], anchor: 'start' }}
      name="Altura isolante"
      value={insulationHeight}
    />
  </svg>
)

type MeasureProps = {
  path: string
  at: readonly [x: number, y: number]
  anchor: 'start' | 'end'
  name: string
  value: string
}

const Measure = ({ path, at: [x, y], anchor, name, value }: MeasureProps) => (
  <>
    <path d={path} fill="none" stroke="var(--color-brand-ink)" strokeWidth={1.5} />
    <text x={x} y={y} textAnchor={anchor} fontSize={14} fill={ink} className="font-medium">
      {name}
      <tspan x={x} dy={17} fill="var(--color-muted)">
        {value}
      </tspan>
    </text>
  </>
)
