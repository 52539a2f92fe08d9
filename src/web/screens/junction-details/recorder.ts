import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { JUNCTION_RECORDED_MESSAGE, type Junction, junctions } from '../../../contract/junctions.ts'
import { buildJunctionPayload, type JunctionForm, junctionRefusal } from '../../../domain/junctions.ts'
import { plantDay, toInstant } from '../../../domain/plant-time.ts'
import { ApiError, call, serverNow } from '../../api.ts'
import { currentUser } from '../../credentials.ts'
import { failureText } from '../../parts/failure-text.ts'
import { useSettings } from '../../parts/settings.ts'
import { newId } from '../../recordings.ts'
import { showToast } from '../../ui/toasts.ts'
import type { JunctionPlace } from './JunctionDetailsScreen.tsx'

const FAILED_MESSAGE = 'Erro ao registrar apontamento'
/** A gloved finger that bounces must not register once more. */
const BOUNCE_MS = 1000

function refusedText(error: unknown): string {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 401) return 'Erro de autenticação com o servidor'
  return failureText(error, status === 400 ? 'Dados inválidos para registro' : FAILED_MESSAGE)
}

type Recorded = {
  place: JunctionPlace
  junction: Junction
  form: JunctionForm
  clear: (form: JunctionForm) => void
  restore: (form: JunctionForm) => void
}

export function useJunctionRecorder({ place, junction, form, clear }: Recorded) {
  const [isBusy, setBusy] = useState(false)
  const held = useRef(false)
  const queries = useQueryClient()
  const { timeZone } = useSettings()

  const register = async () => {
    if (held.current) return
    const refusal = junctionRefusal(junction, form)
    if (refusal) return showToast({ kind: 'error', text: refusal })
    held.current = true
    setBusy(true)
    const nowMs = serverNow()
    const body = buildJunctionPayload(junction, form, {
      branch: place.plant,
      order: place.order,
      username: currentUser()?.username ?? '',
      day: plantDay(nowMs, timeZone),
      registeredAt: toInstant(nowMs),
    })
    try {
      const { message, status } = await call(junctions.record, { body }, { idempotencyKey: newId() })
      showToast({ kind: status === 'enviado' ? 'success' : 'warning', text: message || JUNCTION_RECORDED_MESSAGE })
      clear(form)
      void queries.invalidateQueries({ queryKey: ['junctions'] })
      void queries.invalidateQueries({ queryKey: ['junction'] })
    } catch (error) {
      showToast({ kind: 'error', text: `${FAILED_MESSAGE}: ${refusedText(error)}` })
    }
    setBusy(false)
    setTimeout(() => {
      held.current = false
    }, BOUNCE_MS)
  }

  return { register, isBusy }
}
