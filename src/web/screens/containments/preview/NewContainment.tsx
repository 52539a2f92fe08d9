import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronRight, PackageSearch, ShieldAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { type ContainmentForm, type ContainmentPreview, containments } from '../../../../contract/containments.ts'
import {
  endText,
  placeText,
  previewText,
  recordingsText,
  startText,
} from '../../../../domain/containments/containment-texts.ts'
import { characteristicTexts } from '../../../../domain/reports/spc-names.ts'
import { ContainmentLink } from '../../../parts/containments/ContainmentLink.tsx'
import { useMay } from '../../../parts/permissions.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { formatCount } from '../../../text/format.ts'
import { links, NEW } from '../../../text/links.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Card, EmptyState, PageHeading } from '../../../ui/Page.tsx'
import { RadioChoice } from '../../../ui/RadioChoice.tsx'
import { MoreRows } from '../MoreRows.tsx'
import { ReasonDialog } from '../ReasonDialog.tsx'
import { failureOf, useFailureOf, usePressKey, useWritten } from '../shown.ts'
import { WindowDialog } from '../WindowDialog.tsx'
import { mayBeLeftOut, PreviewTable } from './PreviewTable.tsx'
import { type Ends, formOf, needsEnds, type Subject, usePreview, useSubject } from './subject.ts'

/** Pieces that a reading outside, a tool, a lot, a machine or an instrument puts under suspicion, before anything is opened. */
export function NewContainment() {
  const found = useSubject()
  const { subject, measured, choose } = found
  if (subject === null) {
    return (
      <>
        <PageHeading title="Peças suspeitas" />
        <EmptyState icon={<PackageSearch {...icon.xl} />}>
          Abra a contenção por uma medição fora, na Rastreabilidade ou em Instrumentos.
        </EmptyState>
      </>
    )
  }
  return (
    <Preview key={JSON.stringify(subject)} {...found} subject={subject}>
      {measured.length > 1 && 'caracteristica' in subject && (
        <RadioChoice
          label="Medida fora"
          options={measured.map((value) => ({ value, label: characteristicTexts[value] }))}
          value={subject.caracteristica}
          onChange={choose}
        />
      )}
    </Preview>
  )
}

/** A wider window makes certain what was left out of a narrower one. */
function stillLeftOut(without: ReadonlySet<string>, pages: readonly ContainmentPreview[]): ReadonlySet<string> {
  const rows = pages.flatMap(({ linhas }) => linhas)
  const certain = new Set(rows.flatMap((row) => (mayBeLeftOut(row) ? [] : [row.apontamento])))
  return new Set([...without].filter((one) => !certain.has(one)))
}

type PreviewProps = Pick<ReturnType<typeof useSubject>, 'ends' | 'changeEnds'> & {
  subject: Subject
  children: ReactNode
}

function Preview({ subject, ends, changeEnds, children }: PreviewProps) {
  const preview = usePreview(subject, ends)
  const failure = useFailureOf()
  const isUnbounded = needsEnds(subject, ends)
  const [isWidening, setWidening] = useState(isUnbounded)
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const { data, isPlaceholderData } = preview
  const first = data?.pages[0]
  const choose = (recording: string, isTaken: boolean) =>
    setWithout((before) => new Set(isTaken ? [...before].filter((one) => one !== recording) : [...before, recording]))
  return (
    <>
      <PageHeading
        title="Peças suspeitas"
        subtitle={first && [first.assunto, placeText(first)].filter(Boolean).join(' · ')}
        action={
          data &&
          first &&
          !first.contencao && (
            <Open {...{ subject, ends, preview: first }} without={stillLeftOut(without, data.pages)} />
          )
        }
      />
      {children}
      {!isUnbounded && <ReadingState reading={preview} loadingText="Procurando as peças..." failureOf={failure} />}
      {first?.contencao && <Exists {...first.contencao} />}
      <div aria-busy={isPlaceholderData} className="flex flex-col gap-4 empty:hidden">
        {first && <Span preview={first} onWiden={() => setWidening(true)} />}
        {!first && (isUnbounded || preview.error) && (
          <div>
            <Button size="xl" onPress={() => setWidening(true)}>
              {isUnbounded ? 'Informar início e fim' : 'Mudar a janela'}
            </Button>
          </div>
        )}
        {data && <Rows pages={data.pages} more={preview} {...{ without, onChoose: choose }} />}
      </div>
      {isWidening && (
        <WindowDialog
          window={first?.janela ?? null}
          needsBoth={isUnbounded}
          onSave={(changed) => {
            setWidening(false)
            changeEnds(changed)
          }}
          onClose={() => setWidening(false)}
        />
      )}
    </>
  )
}

const Exists = ({ id, numero }: NonNullable<ContainmentPreview['contencao']>) => (
  <Alert kind="warning" action={<ContainmentLink id={id}>Abrir</ContainmentLink>}>
    Já há a contenção {numero} para esta medição.
  </Alert>
)

type OpenProps = {
  subject: Subject
  ends: Ends
  without: ReadonlySet<string>
  preview: ContainmentPreview
}

/** The one action of the screen, and beside it the word of who may decide that there is nothing to contain. */
function Open({ subject, ends, without, preview }: OpenProps) {
  const navigate = useNavigate()
  const mayRecord = useMay('record')
  const mayDispose = useMay('dispose')
  const [isNothing, setNothing] = useState(false)
  // nobody needs leave to say so of a window without any
  const isEmpty = preview.linhas.length === 0
  const keyOf = usePressKey()
  const { save, isBusy, error } = useSave({
    send: (body: ContainmentForm) => call(containments.open, { body }, { idempotencyKey: keyOf(body) }),
    // one that somebody else has opened meanwhile is shown by the preview
    changes: [containments.list, containments.items, containments.preview],
    onSaved: ({ id }) => void navigate({ to: links.containment, params: { id }, replace: true }),
  })
  if (!mayRecord) return null
  return (
    <div className="flex flex-col items-end gap-2 max-md:w-full">
      <div className="flex flex-wrap gap-2 max-md:*:grow">
        {(mayDispose || isEmpty) && (
          <Button size="xl" onPress={() => setNothing(true)}>
            Não há peças
          </Button>
        )}
        <Button
          variant="primary"
          size="xl"
          icon={<ShieldAlert {...icon.md} />}
          busy={isBusy}
          busyText="Abrindo..."
          onPress={() => save(formOf(subject, ends, { without }))}
        >
          Abrir contenção
        </Button>
      </div>
      {error && !isNothing && <Alert>{failureOf(error)}</Alert>}
      {isNothing && (
        <ReasonDialog
          title="Não há peças suspeitas"
          saveText="Encerrar sem peças"
          isBusy={isBusy}
          error={error ? failureOf(error) : undefined}
          onSave={(reason) => save(formOf(subject, ends, { without: new Set(), isNothing: true, reason }))}
          onClose={() => setNothing(false)}
        >
          {preview.assunto}: fica registrada uma contenção encerrada, sem peças.
        </ReasonDialog>
      )}
    </div>
  )
}

/** The window in words and in figures, and the way to another one. */
function Span({ preview, onWiden }: { preview: ContainmentPreview; onWiden: () => void }) {
  const { janela, caracteristica, outrasFiliais } = preview
  const written = useWritten(caracteristica)
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-48 flex-col gap-1">
          <strong className="text-2xl">{previewText(preview)}</strong>
          <span>
            {startText(janela, preview, written)}; {endText(janela, preview, written)}.
          </span>
          {janela.motivo !== '' && <span className="text-sm text-muted">Motivo: {janela.motivo}</span>}
          <span className="text-sm text-muted">
            Apontamentos feitos depois podem conter peças desta janela. Amplie o fim se aponta em lote.
          </span>
          {outrasFiliais.map((one) => (
            <OtherPlant key={one.filial} {...one} />
          ))}
        </div>
        <Button size="xl" onPress={onWiden}>
          Ampliar
        </Button>
      </div>
    </Card>
  )
}

/** A containment is of one plant; the same address opens that of another one. */
function OtherPlant({ filial, apontamentos }: ContainmentPreview['outrasFiliais'][number]) {
  const { plants } = useSettings()
  return (
    <Link
      to={links.containment}
      params={{ id: NEW }}
      search={(before: object) => ({ ...before, filial })}
      className="inline-flex min-h-11 items-center font-medium text-brand-ink underline underline-offset-4"
    >
      Também usado em {plants.find(({ code }) => code === filial)?.label ?? filial}: {recordingsText(apontamentos)}.
    </Link>
  )
}

type RowsProps = {
  pages: readonly ContainmentPreview[]
  more: ReturnType<typeof usePreview>
  without: ReadonlySet<string>
  onChoose: (recording: string, isTaken: boolean) => void
}

function Rows({ pages, more, without, onChoose }: RowsProps) {
  const mayDispose = useMay('dispose')
  const rows = pages.flatMap(({ linhas }) => linhas)
  const here = rows.filter(({ certeza }) => certeza !== 'outra-maquina')
  const elsewhere = rows.filter(({ certeza }) => certeza === 'outra-maquina')
  const choice = { without: mayDispose ? without : null, onChoose }
  return (
    <>
      {here.length > 0 ? (
        <PreviewTable label="Peças suspeitas" rows={here} {...choice} />
      ) : (
        <EmptyState icon={<PackageSearch {...icon.xl} />}>Nenhum apontamento nesta janela.</EmptyState>
      )}
      {elsewhere.length > 0 && <Elsewhere rows={elsewhere} {...choice} />}
      <MoreRows reading={more}>Mostrando {formatCount(rows.length)} apontamentos. A contenção leva todos.</MoreRows>
    </>
  )
}

/** Folded: fewer people need it, and it is no certain part of the window. */
function Elsewhere(props: Omit<ComponentProps<typeof PreviewTable>, 'label'>) {
  const [isOpen, setOpen] = useState(false)
  const label = 'A mesma ferramenta em outra máquina'
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Button
          size="lg"
          variant="quiet"
          wraps
          icon={isOpen ? <ChevronDown {...icon.md} /> : <ChevronRight {...icon.md} />}
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          {label} ({formatCount(props.rows.length)})
        </Button>
      </div>
      {isOpen && <PreviewTable {...props} label={label} />}
    </div>
  )
}
