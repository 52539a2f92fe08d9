import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { items } from '../../../contract/items.ts'
import { isUltrasonic, type Junction, type JunctionDetails } from '../../../contract/junctions.ts'
import {
  completedJunction,
  emptyJunctionFields,
  MISSING,
  machineChoices,
  scanFormOfJunction,
} from '../../../domain/acts/form-lists.ts'
import { isJunctionOpen } from '../../../domain/acts/junction-balance.ts'
import type { JunctionForm } from '../../../domain/acts/junctions.ts'
import { writeToTab } from '../../device/store.ts'
import { showToast } from '../../device/toasts.ts'
import { type CursorControl, useCursor } from '../../parts/fields/cursor.ts'
import { useRemembered } from '../../parts/fields/useRemembered.ts'
import { prepareJunctionSearch } from '../../parts/lookups/junctions.ts'
import { codesAtJunction, searchedItems, useJunctionLists } from '../../parts/lookups/known.ts'
import { useFormScans } from '../../parts/scanner/useFormScans.tsx'
import { query } from '../../server/query.ts'
import { EDITING_ITEM_KEY, links } from '../../text/links.ts'

type Scanned = {
  place: { branch: string; order: string }
  junction: Junction
  details: JunctionDetails
  isDialogOpen: boolean
  form: JunctionForm
  fill: (fields: Partial<JunctionForm>) => void
  hold: () => () => void
  /** 'Medir' is opened, with the instrument that was read; null: closed. */
  onMeasuring: (measuring: { instrument: string } | null) => void
}

/** What a sample belongs to. */
const measuredOn = ['lot', 'machine']

/** What is still empty of what somebody has asked for. */
function useMissed(shown: JunctionForm, isWelded: boolean, cursor: CursorControl<'form'>) {
  const [isMissed, setMissed] = useState(false)
  const empty = emptyJunctionFields(shown, isWelded)
  const miss = (field: string | undefined) => {
    setMissed(true)
    if (field) cursor.moveTo({ part: 'form', field })
  }
  return {
    missing: (field: string) => (isMissed && empty.includes(field) ? MISSING : undefined),
    // the list of 'Estanqueidade' opens by itself where a finger is: it takes no cursor
    onMissed: () => miss(empty.find((field) => field !== 'tightness')),
    /** False: it cannot be measured yet, and that was said. */
    isMeasurable: (): boolean => {
      const missed = empty.find((field) => measuredOn.includes(field))
      if (missed === undefined) return true
      miss(missed)
      showToast({ kind: 'warning', text: `Antes de medir, informe ${isWelded ? 'a máquina' : 'lote e máquina'}.` })
      return false
    },
    forget: () => setMissed(false),
  }
}

/** What a label does that is read in the form of a junction. */
export function useJunctionScans({ place, junction, details, isDialogOpen, form, hold, ...scanned }: Scanned) {
  const root = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  const navigate = useNavigate()
  const lists = useJunctionLists(place.branch)
  const isWelded = isUltrasonic(junction.Z8_GRUPOMP)
  const isOpen = isJunctionOpen(junction)
  const { remembered, note } = useRemembered(place.branch)
  const shown = completedJunction(form, machineChoices(lists.machinesOf.juncao), remembered)
  const cursor = useCursor<'form'>(isOpen ? { part: 'form', field: isWelded ? 'force' : 'lot' } : null)
  const machine = {
    value: shown.machine,
    isOffered: form.machine === '' && shown.machine !== '',
    choices: machineChoices(lists.machinesOf.juncao),
  }
  const { missing, onMissed, isMeasurable, forget } = useMissed(shown, isWelded, cursor)
  const onMeasuring: Scanned['onMeasuring'] = (opened) => {
    if (opened === null || isMeasurable()) scanned.onMeasuring(opened)
  }
  const scans = useFormScans<'form'>({
    root,
    isDialogOpen,
    form: scanFormOfJunction(junction, { isOpen, lot: form.lot, machine }, cursor.cursor),
    codes: () => codesAtJunction(client, { order: place.order, junction, details }, lists),
    hold,
    fill: (_, field, value) => {
      if (field !== 'lot' && field !== 'machine') return ''
      scanned.fill({ [field]: value })
      return form[field]
    },
    onReading: cursor.quiet,
    measure: (_, instrument) => onMeasuring({ instrument }),
    openItem: async (barcode) => {
      const request = { params: { codigoBarras: barcode }, query: { filial: place.branch } }
      const known = searchedItems(client).find(({ Z1_CODBAR }) => Z1_CODBAR === barcode)
      const item = known ?? (await client.fetchQuery(query(items.get, request))).item
      writeToTab(EDITING_ITEM_KEY, item)
      void navigate({ to: links.itemEdit, state: { item } })
    },
    openOrder: (order) =>
      void prepareJunctionSearch(client, { plant: place.branch, order }).then(() => navigate({ to: links.junctions })),
  })
  const code = junction.Z8_TERMINA.trim()
  return {
    ...{ root, cursor, scans, isOpen, onMissed, onMeasuring },
    form: shown,
    fields: {
      missing,
      offeredLot: form.lot === '' ? remembered?.lots.find((one) => one.code === code)?.lot : undefined,
      cursorOf: (field: string) => cursor.of('form', field),
    },
    onSaved: () => {
      forget()
      note({ kind: 'juncao', machine: shown.machine, lot: form.lot, code })
    },
  }
}
