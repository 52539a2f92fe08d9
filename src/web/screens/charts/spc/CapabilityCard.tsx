import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { CapabilityRow } from '../../../../contract/spc.ts'
import { SERIES_SAMPLES_MAX } from '../../../../contract/spc.ts'
import { capabilityLevel, capabilityText, decimalText, indexText } from '../../../../domain/reports/spc-texts.ts'
import { Fact } from '../../../parts/fields/fields.tsx'
import { formatCount } from '../../../text/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Section } from '../../../ui/Page.tsx'
import type { Shown } from './series.ts'

const levels = {
  boa: { tone: 'ok', text: 'Com folga', Icon: CircleCheck },
  media: { tone: 'neutral', text: 'Capaz', Icon: CircleCheck },
  incerta: { tone: 'warn', text: 'Incerto', Icon: TriangleAlert },
  ruim: { tone: 'bad', text: 'Abaixo de 1,33', Icon: CircleAlert },
} as const

/** Capability of the process beside its tolerances. Every figure with its sigma and its interval. */
export function CapabilityCard({ shown: { series, decimals } }: { shown: Shown }) {
  const { capacidade, cortado } = series
  if (!capacidade) return null
  const { leituras, amostras, media, lsl, usl, nota, dentro, total } = capacidade
  return (
    <Section title="Capacidade">
      <div className="flex flex-col gap-4">
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          <Fact label="Leituras">
            {formatCount(leituras)} em {formatCount(amostras)} {amostras === 1 ? 'amostra' : 'amostras'}
          </Fact>
          <Fact label="Média">{media === null ? '-' : decimalText(media, decimals)}</Fact>
          <Fact label="Tolerância">{toleranceText(lsl, usl, decimals)}</Fact>
        </dl>
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {[dentro, total].map((row) => row && <Index key={row.nomes.join()} row={row} decimals={decimals} />)}
        </div>
        {nota !== '' && <p className="font-medium">{nota}</p>}
        {cortado && <p className="text-sm text-muted">Das últimas {SERIES_SAMPLES_MAX} amostras.</p>}
      </div>
    </Section>
  )
}

/** As a plan writes it: with the decimals of readings. */
export function toleranceText(lsl: number | null, usl: number | null, decimals: number): string {
  const text = (value: number) => decimalText(value, decimals - 1)
  if (lsl !== null && usl !== null) return `${text(lsl)} a ${text(usl)}`
  if (lsl !== null) return `mínimo ${text(lsl)}`
  return usl === null ? 'sem plano' : `máximo ${text(usl)}`
}

/** 'Cp 1,70 (1,41 a 1,91)' */
export const potentialText = ({ nomes, p }: CapabilityRow): string =>
  p ? `${nomes[0]} ${indexText(p.valor)} (95%: ${indexText(p.baixo)} a ${indexText(p.alto)})` : ''

function Index({ row, decimals }: { row: CapabilityRow; decimals: number }) {
  const { pk } = row
  const { tone, text, Icon } = levels[pk ? capabilityLevel(pk) : 'media']
  return (
    <div className="flex flex-col items-start gap-1 rounded-md border border-line p-3">
      {pk && (
        <>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {/* the bar over R is in no other font than that of R */}
            <strong className="text-xl [font-family:system-ui,sans-serif]">{capabilityText(row, decimals)}</strong>
            <Badge tone={tone} icon={<Icon {...icon.sm} />}>
              {text}
            </Badge>
          </p>
          <p className="text-muted">
            95%: {indexText(pk.baixo)} a {indexText(pk.alto)}
          </p>
        </>
      )}
      {row.p && <p>{potentialText(row)}</p>}
    </div>
  )
}
