import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DecisionForm } from '../../../../contract/containment-decisions.ts'
import {
  CONTAINMENT_REASON_LENGTH_MAX,
  type Containment,
  type ContainmentRow,
  type Move,
  moves,
  type ReleaseCheck,
  releaseChecks,
} from '../../../../contract/containments.ts'
import { scrapReasons } from '../../../../contract/scrap-reasons.ts'
import { saysSomething } from '../../../../contract/values.ts'
import { releases, scraps } from '../../../../domain/containments/balances.ts'
import { checkTexts, sourceOf, stepTexts } from '../../../../domain/containments/containment-texts.ts'
import { containmentReasons } from '../../../../domain/containments/scrap-reasons.ts'
import { piecesText, readWhole } from '../../../../domain/text/numbers.ts'
import { query } from '../../../server/query.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { RadioChoice } from '../../../ui/RadioChoice.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { ReasonField } from '../ReasonDialog.tsx'
import { nameOf } from '../RecordingCells.tsx'
import { useDecide } from './decide.ts'

type Props = {
  containment: Containment
  /** As they are now; what is decided is about those that were seen when the dialog came. */
  rows: readonly ContainmentRow[]
  onClose: () => void
}

const sumOf = (rows: readonly ContainmentRow[], move: Move) => rows.reduce((sum, row) => sum + row[sourceOf(move)], 0)

/** What is typed, and what is wrong with it. */
function useTyped(rows: readonly ContainmentRow[]) {
  const offered = moves.filter((move) => sumOf(rows, move) > 0)
  const [chosen, setMove] = useState<Move | null>(null)
  const [typedPieces, setPieces] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [check, setCheck] = useState<ReleaseCheck>('medidas-100')
  const [sample, setSample] = useState('')
  const [checkText, setCheckText] = useState('')
  const [scrapReason, setScrapReason] = useState('')
  const move = offered.find((one) => one === chosen) ?? offered[0] ?? 'liberar'
  const available = sumOf(rows, move)
  const isSingle = rows.length === 1
  const pieces = isSingle && typedPieces !== null ? readWhole(typedPieces) : available
  return {
    ...{ offered, move, available, isSingle, pieces, reason, setReason, check, setCheck, sample, setSample },
    ...{ checkText, setCheckText, scrapReason, setScrapReason, setPieces },
    piecesText: typedPieces ?? String(available),
    setMove: (next: Move) => {
      setMove(next)
      // all of what this one takes from
      setPieces(null)
    },
    arePieces: pieces >= 1 && pieces <= available,
    isSample: readWhole(sample) >= 1,
  }
}

type Typed = ReturnType<typeof useTyped>

function formOf(typed: Typed, rows: readonly ContainmentRow[], scrapReason: string): DecisionForm {
  const { move, isSingle, pieces, reason, check, sample, checkText } = typed
  const taken = rows.filter((row) => row[sourceOf(move)] > 0)
  return {
    tipo: move,
    motivo: reason.trim(),
    linhas: taken.map((row) => ({
      id: row.id,
      version: row.version,
      pecas: isSingle ? pieces : row[sourceOf(move)],
    })),
    ...(releases(move) ? { verificado: check } : {}),
    ...(releases(move) && check === 'amostra' ? { amostra: readWhole(sample) } : {}),
    ...(releases(move) && checkText.trim() !== '' ? { verificadoTexto: checkText.trim() } : {}),
    ...(scraps(move) ? { motivoRefugo: scrapReason } : {}),
  }
}

/** Quality decides about one row, or about all suspect pieces of several. */
export function DecideDialog({ containment, rows, onClose }: Props) {
  const [seen, setSeen] = useState(rows)
  const typed = useTyped(seen)
  const reasons = useReasons(seen, containment)
  const { save, isBusy, failure, isChanged, forget } = useDecide(containment, {
    toast: 'Decisão salva.',
    onSaved: onClose,
  })
  const scrapReason = typed.scrapReason || reasons.first
  const isChecked = !releases(typed.move) || typed.check !== 'amostra' || typed.isSample
  const isValid =
    saysSomething(typed.reason) && typed.arePieces && isChecked && (!scraps(typed.move) || scrapReason !== '')
  const takeNewer = () => {
    setSeen(rows)
    forget()
  }
  return (
    <FormDialog
      title={titleOf(seen)}
      width="md"
      isValid={isValid}
      {...{ isBusy, onClose }}
      error={failure}
      errorAction={isChanged && <Button onPress={takeNewer}>Recarregar</Button>}
      onSave={() => save(formOf(typed, seen, scrapReason))}
    >
      <RadioChoice
        label="Decisão"
        options={typed.offered.map((value) => ({ value, label: stepTexts[value] }))}
        value={typed.move}
        onChange={typed.setMove}
      />
      {typed.isSingle ? (
        <TextField
          label="Quantidade"
          code
          isRequired
          inputMode="numeric"
          maxLength={9}
          value={typed.piecesText}
          onChange={typed.setPieces}
          error={typed.arePieces ? undefined : `De 1 a ${typed.available}`}
        />
      ) : (
        <p className="text-lg font-semibold">{piecesText(typed.available)}</p>
      )}
      {releases(typed.move) && <Checked {...typed} />}
      {scraps(typed.move) && (
        <SelectField
          label="Motivo do refugo"
          options={reasons.offered.map(({ codigo }) => codigo)}
          textOf={(code) => reasons.offered.find(({ codigo }) => codigo === code)?.texto ?? code}
          value={scrapReason}
          onChange={typed.setScrapReason}
        />
      )}
      <ReasonField value={typed.reason} onChange={typed.setReason} />
    </FormDialog>
  )
}

const titleOf = (rows: readonly ContainmentRow[]): string => {
  const [first] = rows
  return rows.length === 1 && first ? `Decidir: ${nameOf(first)}` : `Decidir ${rows.length} linhas`
}

/** By what the pieces are known to be good. */
const Checked = ({ check, setCheck, sample, setSample, checkText, setCheckText }: Typed) => (
  <div className="flex flex-col gap-4">
    <RadioChoice
      label="O que foi verificado?"
      options={releaseChecks.map((value) => ({
        value,
        label: value === 'amostra' ? 'Amostra de n' : checkTexts[value],
      }))}
      value={check}
      onChange={setCheck}
    />
    {check === 'amostra' && (
      <TextField
        label="Peças da amostra"
        code
        isRequired
        autoFocus
        inputMode="numeric"
        maxLength={9}
        value={sample}
        onChange={setSample}
      />
    )}
    <TextField
      label="Resultado ou número da derrogação"
      autoCapitalize="sentences"
      maxLength={CONTAINMENT_REASON_LENGTH_MAX}
      value={checkText}
      onChange={setCheckText}
    />
  </div>
)

/** Reasons of scrap that fit these rows, and the one that their characteristic suggests. */
function useReasons(rows: readonly ContainmentRow[], { caracteristica }: Containment) {
  const { data } = useQuery(query(scrapReasons.list, {}))
  return containmentReasons(data ?? [], new Set(rows.map(({ etapa }) => etapa)), caracteristica)
}
