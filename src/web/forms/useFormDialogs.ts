import { useState } from 'react'
import type { FieldName } from '../../domain/forms/form-fields.ts'

/** Which part is measured now, and with what; `instrument` is empty where none was read. */
type Measured<Part extends string> = { part: Part; instrument: string }

export type FormDialogs<Part extends string> = ReturnType<typeof useFormDialogs<Part>>

/** Dialogs that a form of work opens, one at a time. */
export function useFormDialogs<Part extends string>() {
  const [pick, setPick] = useState<{ part: Part; field: FieldName } | null>(null)
  const [measuring, setMeasuring] = useState<Measured<Part> | null>(null)
  const [scrapping, setScrapping] = useState<{ part: Part; reason: string } | null>(null)
  const [areDocumentsOpen, setDocumentsOpen] = useState(false)
  const [isCalling, setCalling] = useState(false)
  const [isListing, setListing] = useState(false)
  const [isAsked, setAsked] = useState(false)
  return {
    ...{ pick, setPick, measuring, setMeasuring, scrapping, setScrapping, setListing, setCalling, setAsked },
    documents: { isOpen: areDocumentsOpen, onOpenChange: setDocumentsOpen },
    isDialogOpen:
      pick !== null ||
      areDocumentsOpen ||
      isCalling ||
      measuring !== null ||
      scrapping !== null ||
      isListing ||
      isAsked,
  }
}
