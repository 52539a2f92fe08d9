import { dayText, plantDay } from '../../../domain/plant-time.ts'
import { errorText, serverNow } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { Fact } from '../../parts/fields.tsx'
import { useSettings } from '../../parts/settings.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { useReport } from './report.ts'

export function ProductionPanel() {
  const { timeZone } = useSettings()
  const today = plantDay(serverNow(), timeZone)
  const { data, error, refetch } = useReport({ start: today, end: today, grouping: 'dia', plant: '' })
  if (error) {
    const retry = <Button onPress={() => void refetch()}>Tentar novamente</Button>
    return <Alert action={retry}>{errorText(error)}</Alert>
  }
  if (!data) return <Spinner />
  return (
    <Section title={`Produção de ${dayText(today)}`}>
      <dl className="grid grid-cols-3 gap-4">
        <Fact label="Cortes">{formatCount(data.totais.cortes)}</Fact>
        <Fact label="Crimpagens">{formatCount(data.totais.crimpagens)}</Fact>
        <Fact label="Junções">{formatCount(data.totais.juncoes)}</Fact>
      </dl>
    </Section>
  )
}
