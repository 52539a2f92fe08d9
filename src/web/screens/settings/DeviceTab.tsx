import { useQuery } from '@tanstack/react-query'
import { Info, Monitor, ScanBarcode, Tablet } from 'lucide-react'
import { useState } from 'react'
import { type CallTeam, callTeams } from '../../../contract/values.ts'
import { teamTexts } from '../../../domain/tools/call-topics.ts'
import { deferred } from '../../device/deferred.ts'
import { install, isInstalled, useInstallOffer } from '../../device/install-offer.ts'
import { changePreferences, type Preferences, textSizes, themes, usePreferences } from '../../device/preferences.ts'
import { findPageId } from '../../device/reloads.ts'
import { useCallTeams } from '../../parts/calls/teams.ts'
import { lateDialog } from '../../parts/Late.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { signsText } from '../../parts/scanner/reader-signs.ts'
import { playSound } from '../../parts/scanner/sounds.ts'
import { freshStatusQuery } from '../../server/status.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { NameForm } from './NameForm.tsx'
import { Stations } from './Stations.tsx'
import { programText } from './system/program-text.ts'
import { WorkplaceForm } from './WorkplaceForm.tsx'

function DeviceNameForm() {
  const { deviceName } = usePreferences()
  return (
    <NameForm
      typedKey="dispositivo"
      saved={deviceName}
      changeOf={(name) => ({ deviceName: name })}
      field={{
        name: 'deviceName',
        label: 'Nome do dispositivo',
        description: 'Aparece nos apontamentos e nas sessões. Ex.: Tablet 3, bancada de junções',
      }}
      texts={{
        save: 'Salvar',
        saved: 'Nome do dispositivo salvo.',
        notSaved: 'O nome vale até a página ser fechada: este dispositivo não o guardou.',
      }}
    />
  )
}

/** Preferences of this device. Each holds at once; only the name is saved by a button. */
export function DeviceTab() {
  const isAdmin = useMay('administer')
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">Estas opções valem só neste dispositivo, para todos que o usam.</p>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Appearance />
          <About />
        </div>
        <div className="flex flex-col gap-4">
          <Scanner />
          {isAdmin && <Stations kind="shared" />}
          {isAdmin && <Stations kind="board" />}
          <Section title="Este dispositivo" icon={<Tablet {...icon.md} />}>
            <div className="flex flex-col gap-6">
              <DeviceNameForm />
              <WorkplaceForm />
              <CallSound />
            </div>
          </Section>
        </div>
      </div>
    </div>
  )
}

const themeTexts: Record<Preferences['theme'], string> = { system: 'Igual ao sistema', light: 'Claro', dark: 'Escuro' }

function Appearance() {
  const { theme, textSize, isFrameShown } = usePreferences()
  return (
    <Section title="Aparência" icon={<Monitor {...icon.md} />}>
      <div className="flex flex-col gap-4">
        <RadioChoice
          label="Tema"
          options={themes.map((value) => ({ value, label: themeTexts[value] }))}
          value={theme}
          onChange={(chosen) => changePreferences({ theme: chosen })}
        />
        <RadioChoice
          label="Tamanho do texto"
          options={textSizes.map((value) => ({ value, label: `${value}%` }))}
          value={textSize}
          onChange={(chosen) => changePreferences({ textSize: chosen })}
        />
        <SwitchField
          label="Cabeçalho e menu"
          description="Desligado, o trabalho ocupa a tela inteira."
          isOn={isFrameShown}
          onChange={(isOn) => changePreferences({ isFrameShown: isOn })}
        />
      </div>
    </Section>
  )
}

function Scanner() {
  const { hasScanSound, confirmsBySecondScan } = usePreferences()
  return (
    <Section title="Leitor" icon={<ScanBarcode {...icon.md} />}>
      <div className="flex flex-col gap-4">
        <SwitchField
          label="Som ao ler um código"
          description="Um som para leitura certa, outro para leitura errada."
          isOn={hasScanSound}
          onChange={(isOn) => changePreferences({ hasScanSound: isOn })}
        />
        <div className="flex flex-wrap gap-2">
          <Button isDisabled={!hasScanSound} onPress={() => playSound('good')}>
            Ouvir leitura certa
          </Button>
          <Button isDisabled={!hasScanSound} onPress={() => playSound('bad')}>
            Ouvir leitura errada
          </Button>
        </div>
        <SwitchField
          label="Confirmar com segunda leitura"
          description={'Na Conferência de Corte, o mesmo código lido de novo depois de 2 segundos responde "Sim".'}
          isOn={confirmsBySecondScan}
          onChange={(isOn) => changePreferences({ confirmsBySecondScan: isOn })}
        />
        <ReaderSigns />
      </div>
    </Section>
  )
}

const TeachReader = lateDialog(deferred(async () => (await import('../../parts/scanner/TeachReader.tsx')).TeachReader))

/** Signs that the reader adds to each label, as one label has shown them. */
function ReaderSigns() {
  const { readerSigns } = usePreferences()
  const [isTeaching, setTeaching] = useState(false)
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        {readerSigns === ''
          ? 'O leitor põe sinais antes ou depois do código? O painel aprende quais, e os tira de cada leitura.'
          : signsText(readerSigns)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => setTeaching(true)}>Ensinar o leitor</Button>
        {readerSigns !== '' && <Button onPress={() => changePreferences({ readerSigns: '' })}>Esquecer</Button>}
      </div>
      {isTeaching && <TeachReader onClose={() => setTeaching(false)} />}
    </div>
  )
}

/** For whoever is called: a tablet of maintenance or of quality, the board on the wall. */
function CallSound() {
  const { soundingTeams } = usePreferences()
  const turn = (team: CallTeam, isOn: boolean) =>
    changePreferences({ soundingTeams: callTeams.filter((one) => (one === team ? isOn : soundingTeams.includes(one))) })
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="flex flex-col gap-2">
        <legend className="font-semibold">Avisar chamados de</legend>
        <p className="text-sm text-muted">Toca neste dispositivo quando alguém chama.</p>
        {useCallTeams().map((team) => (
          <SwitchField
            key={team}
            label={teamTexts[team]}
            isOn={soundingTeams.includes(team)}
            onChange={(isOn) => turn(team, isOn)}
          />
        ))}
      </fieldset>
      <div>
        <Button isDisabled={soundingTeams.length === 0} onPress={() => playSound('call')}>
          Ouvir aviso de chamado
        </Button>
      </div>
    </div>
  )
}

const TextLink = ({ href, children }: { href: string; children: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="flex min-h-11 items-center font-semibold text-brand-ink underline underline-offset-4"
  >
    {children}
  </a>
)

/** The version is the server's, asked anew: one that changes only the server leaves the page, and its hash, as they are. */
function About() {
  const { data: server } = useQuery(freshStatusQuery)
  return (
    <Section title="Sobre" icon={<Info {...icon.md} />}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        <dt className="text-muted">Produto</dt>
        <dd className="font-semibold">Painel Industrial</dd>
        <dt className="text-muted">Versão</dt>
        <dd className="font-semibold">{server ? programText(server.version, server.versionDay) : '-'}</dd>
        <dt className="text-muted">Mudanças</dt>
        <dd>
          <TextLink href="/docs/notas">Notas de versão</TextLink>
        </dd>
        <dt className="text-muted">Página</dt>
        <dd className="code">{findPageId() ?? '-'}</dd>
        <dt className="text-muted">Aplicativo</dt>
        <dd>
          <Installing />
        </dd>
        <dt className="text-muted">Licenças</dt>
        <dd>
          <TextLink href="/licencas.txt">Licenças dos programas de terceiros</TextLink>
        </dd>
      </dl>
    </Section>
  )
}

function Installing() {
  const { canInstall } = useInstallOffer()
  if (isInstalled()) return 'Instalado neste dispositivo'
  if (!canInstall) return 'Este navegador não oferece a instalação agora'
  return <Button onPress={() => void install()}>Instalar App</Button>
}
