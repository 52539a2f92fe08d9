import { randomUUID } from 'node:crypto'
import type { Random } from '../../../../demo/simulator/random.ts'
import type { RetainedDelivery } from '../../../../src/contract/retained-deliveries.ts'
import type { OpenSession } from '../../../../src/contract/sessions.ts'
import { PASSWORD } from '../../harness.ts'
import { sameOrigin } from '../../visitor.ts'
import { type Answer, sessionIn } from '../queue-tablet.ts'
import { recordingOf } from '../workload.ts'
import { Person, type Plant, pause, workUntilOver } from './plant.ts'
import { callBody, callPath, cutCrimpPath, sampleBody, samplePath, scrapBody, scrapPath } from './tablets.ts'

async function untilAnswered(ask: () => PromiseLike<Answer | null>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer && answer.statusCode < 300) return answer
    if (answer && ![401, 429, 502, 503, 504].includes(answer.statusCode))
      throw new Error(`answered ${answer.statusCode}: ${answer.body}`)
    await pause(answer?.statusCode === 429 ? 1000 : 50)
  }
}

/** What an admin does with somebody: ends their sessions, takes what came without one. */
function adminOf(plant: Plant) {
  const admin = new Person(plant, 'admin')
  return {
    async endSessions(username: string): Promise<void> {
      for (;;) {
        const open = await admin.read<OpenSession[]>('/api/sessoes')
        const own = open?.filter((session) => session.username === username)
        if (own?.length === 0) return
        for (const { id } of own ?? []) await admin.ask({ method: 'DELETE', url: `/api/sessoes/${id}` })
      }
    },
    async take(id: string): Promise<void> {
      for (;;) {
        const list = await admin.read<{ retidos: RetainedDelivery[] }>('/api/retidos')
        if (list?.retidos.every((retained) => retained.id !== id)) return
        const payload = { ids: [id], decisao: 'aceitar', motivo: 'Estava no turno' }
        await admin.ask({ method: 'POST', url: '/api/retidos/decisao', payload })
        await pause(50)
      }
    },
  }
}

type Act = { id: string; request: { method: 'POST'; url: string; payload: object } }

/** A sample, the recording that names it, a scrap and a call, all of one person. */
function pressEach({ journal, sections }: Plant, username: string, random: Random) {
  const section = random.pick(sections.filter(({ part }) => part !== 'cabo'))
  const [sampleId, recordingId, scrapId, callId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const common = { username, fromTablet: true }
  const subject = section.item.Z1_CODBAR
  journal.press({ ...common, id: sampleId, kind: 'sample' })
  journal.press({ ...common, id: recordingId, kind: 'recording', subject })
  journal.press({ ...common, id: scrapId, kind: 'scrap', subject })
  journal.press({ ...common, id: callId, kind: 'call' })
  const act = (id: string, url: string, payload: object, captura: object = {}): Act => ({
    id,
    request: { method: 'POST', url, payload: { ...payload, captura: { salvoNoDispositivo: true, ...captura } } },
  })
  return {
    sample: act(sampleId, samplePath, sampleBody(section)),
    recording: act(recordingId, cutCrimpPath, recordingOf(section, 1), { medicoes: [sampleId] }),
    scrap: act(scrapId, scrapPath, scrapBody(section, 1)),
    call: act(callId, callPath, callBody(random)),
  }
}

/**
 * Somebody whose session an admin ends while acts wait on the tablet: they come under a grant that is not to be trusted any
 * more. Either all come once more, when their author has logged in again, or an admin takes the recording, with the sample that
 * it names.
 */
export async function beSentAway(plant: Plant, username: string, random: Random): Promise<void> {
  const { journal } = plant
  const admin = adminOf(plant)
  let device = ''
  const logIn = async () => {
    const headers = { ...sameOrigin, cookie: `__Host-device=${device}` }
    const payload = { username, password: PASSWORD }
    const entry = { method: 'POST', url: '/api/auth/login', headers, payload } as const
    const session = sessionIn(await untilAnswered(() => plant.reach().app.inject(entry)), device)
    device = session.device
    return session
  }
  const send = ({ id, request }: Act, own: Record<string, string>) =>
    plant.reach().app.inject({ ...request, headers: { ...own, 'idempotency-key': id } })
  const bringAgain = async (acts: readonly Act[]) => {
    let headers = {}
    for (const act of acts) {
      const answer = await untilAnswered(async () => {
        const given = await send(act, headers)
        if (given?.statusCode !== 401) return given
        const { token, cookie } = await logIn()
        headers = { ...sameOrigin, authorization: `Bearer ${token}`, cookie }
        return await send(act, headers)
      })
      journal.see(act.id, answer)
    }
  }
  const beSent = async (isTaken: boolean): Promise<boolean> => {
    const { deliveryGrant } = await logIn()
    const { sample, recording, scrap, call } = pressEach(plant, username, random)
    await admin.endSessions(username)
    const headers = { authorization: `Grant ${deliveryGrant}`, cookie: `__Host-device=${device}` }
    for (const act of [sample, recording, scrap, call]) await untilAnswered(() => send(act, headers))
    if (isTaken) await admin.take(recording.id)
    await bringAgain([...(isTaken ? [] : [sample]), recording, scrap, call])
    return true
  }
  await workUntilOver(plant, random, [() => beSent(false), () => beSent(true)], [500, 2000])
}
