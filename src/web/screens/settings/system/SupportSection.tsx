import { Download, LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { health } from '../../../../contract/health.ts'
import { supportFileName } from '../../../../domain/plant/support-files.ts'
import { useServerFile } from '../../../parts/ServerFile.tsx'
import { callForFile, errorText } from '../../../server/api.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Section } from '../../../ui/Page.tsx'

/** One file for whoever helps from outside the plant. */
export function SupportSection() {
  const [failure, setFailure] = useState<string | null>(null)
  const { isBusy, onPress } = useServerFile({
    ask: () => {
      setFailure(null)
      return callForFile(health.supportFile, {})
    },
    nameOf: supportFileName,
    onFailure: (error) => setFailure(errorText(error)),
  })
  return (
    <Section title="Suporte" icon={<LifeBuoy {...icon.md} />}>
      <div className="flex flex-col gap-3">
        <p className="text-muted">
          Um arquivo com versão, configuração, alarmes e log de 24 horas. Sem senhas; pessoas, endereços e crachás são
          números.
        </p>
        <div>
          <Button icon={<Download {...icon.md} />} busy={isBusy} busyText="Gerando..." onPress={onPress}>
            Arquivo de suporte
          </Button>
        </div>
        {failure && <Alert>{failure}</Alert>}
      </div>
    </Section>
  )
}
