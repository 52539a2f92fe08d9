import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { items } from '../../../contract/items.ts'
import { isUltrasonic, type Junction, type JunctionDetails } from '../../../contract/junctions.ts'
import { completedJunction, emptyJunctionFields, MISSING, machineChoices } from '../../../domain/form-lists.ts'
import type { ScanPart } from '../../../domain/form-scans.ts'
import { isJunctionOpen } from '../../../domain/junction-balance.ts'
import type { JunctionForm } from '../../../domain/junctions.ts'
import { EDITING_ITEM_KEY, links } from '../../app/links.ts'
import { writeToTab } from '../../device/store.ts'
import { useCursor } from '../../parts/fields/cursor.ts'
import { useRemembered } from '../../parts/fields/useRemembered.ts'
import { prepareJunctionSearch } from '../../parts/lookups/junctions.ts'
import { codesAtJunction, searchedItems, useJunctionLists } from '../../parts/lookups/known.ts'
import { useFormScans } from '../../parts/scanner/useFormScans.tsx'
import { query } from '../../server/query.ts'

type Scanned = {
  place: { branch: string; order: string }
  junction: Junction
  details: JunctionDetails
  isDialogOpen: boolean
  form: JunctionForm
  type: (fields: Partial<JunctionForm>) => void
  hold: () => () => void
}

type Part = ScanPart<'form'>
type Filled = { junction: Junction; isOpen: boolean; lot: string; machine: NonNullable<Part['fields']['machine']> }

/** The form of a junction as a scan finds it. */
const junctionPart = ({ junction, isOpen, lot, machine }: Filled): Part => ({
  part: 'form',
  isOpen,
  // nothing of a junction is measured in a dialog
  terminal: null,
  seal: null,
  machineOf: 'de junção',
  fields: isUltrasonic(junction.Z8_GRUPOMP) ? { machine } : { lot: { value: lot, choices: [] }, machine },
})

/** What a label does that is read in the form of a junction. */
export function useJunctionScans({ place, junction, details, isDialogOpen, form, type, hold }: Scanned) {
  const root = useRef<HTMLDivElement>(null)
  const [isMissed, setMissed] = useState(false)
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
  const parts = [junctionPart({ junction, isOpen, lot: form.lot, machine })]
  const scans = useFormScans<'form'>({
    root,
    isDialogOpen,
    form: { parts, cursor: cursor.cursor },
    codes: () => codesAtJunction(client, { order: place.order, junction, details }, lists),
    hold,
    fill: (_, field, value) => {
      if (field !== 'lot' && field !== 'machine') return ''
      type({ [field]: value })
      return form[field]
    },
    onReading: cursor.quiet,
    measure: () => undefined,
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
    ...{ root, cursor, scans, isOpen },
    form: shown,
    onMissed: () => {
      // the list of 'Estanqueidade' opens by itself where a finger is: it takes no cursor
      const field = emptyJunctionFields(shown, isWelded).find((one) => one !== 'tightness')
      setMissed(true)
      if (field) cursor.moveTo({ part: 'form', field })
    },
    fields: {
      missing: (field: string) =>
        isMissed && emptyJunctionFields(shown, isWelded).includes(field) ? MISSING : undefined,
      offeredLot: form.lot === '' ? remembered?.lots.find((one) => one.code === code)?.lot : undefined,
      cursorOf: (field: string) => cursor.of('form', field),
    },
    onSaved: () => {
      setMissed(false)
      note({ kind: 'juncao', machine: shown.machine, lot: form.lot, code })
    },
  }
}
