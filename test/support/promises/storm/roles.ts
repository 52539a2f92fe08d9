import { randomUUID } from 'node:crypto'
import type { Random } from '../../../../demo/simulator/random.ts'
import type { AuditAction } from '../../../../src/contract/audit-entries.ts'
import type { CrimpCounter } from '../../../../src/contract/crimp-counters.ts'
import type { MaintenanceCallList } from '../../../../src/contract/maintenance-calls.ts'
import type { MaintenanceTask } from '../../../../src/contract/maintenance-tasks.ts'
import type { PendingRecording } from '../../../../src/contract/pending-recordings.ts'
import { plantDay } from '../../../../src/domain/plant/plant-time.ts'
import { jsonOf } from '../queue-tablet.ts'
import { APPLICATOR, BRANCH, recordingOf, searchPath } from '../workload.ts'
import { Person, type Plant, workUntilOver } from './plant.ts'
import type { ActKind } from './world.ts'

const tool = `/api/crimpagens/${APPLICATOR}`
const LIMIT = 100_000
const BETWEEN_MS: [number, number] = [30, 150]

/** Once, before the storm: what is done again and again, and what wears. Both need a tool that is registered. */
export async function prepareTool(plant: Plant): Promise<void> {
  const maintainer = new Person(plant, 'manutencao')
  const post = async (url: string, payload: object) => {
    const answer = await maintainer.ask({ method: 'POST', url, payload })
    if (answer?.statusCode !== 201) throw new Error(`${url}: ${answer?.statusCode} ${answer?.body}`)
    return answer
  }
  await post('/api/miniaplicadores', { terminal: 'T1326030', miniaplicator: APPLICATOR })
  await post('/api/tarefas-de-manutencao', { name: 'Lubrificar', everyDays: 1, active: true })
  const part = { kind: 'bigorna', code: 'B-1', limitOfCrimps: LIMIT, usedBefore: 0 }
  await post(`/api/ferramentas/${APPLICATOR}/pecas`, { parts: [part] })
}

/** Attends to calls, does tasks, replaces parts, plans and ends maintenance. */
export async function maintain(plant: Plant, random: Random): Promise<void> {
  const person = new Person(plant, 'manutencao')
  // the plant's day, which is not UTC's from 21:00 on: a task done tomorrow is refused
  const today = plantDay(Date.now(), 'America/Sao_Paulo')
  const openCall = async () => {
    const list = await person.read<MaintenanceCallList>(`/api/chamados?filial=${BRANCH}`)
    const open = list?.chamados.filter(({ situacao }) => situacao === 'aberto' || situacao === 'atendido') ?? []
    return open.length > 0 ? random.pick(open) : null
  }
  const onCall = async (what: 'solucao' | 'cancelamento', payload: object): Promise<boolean> => {
    const call = await openCall()
    if (!call) return false
    const action = what === 'solucao' ? 'call_resolved' : 'call_cancelled'
    const url = `/api/chamados/${call.id}/${what}`
    return await person.change({ action, subject: call.id }, { method: 'POST', url, payload })
  }
  const attend = async (): Promise<boolean> => {
    const call = await openCall()
    if (!call) return false
    const answer = await person.ask({ method: 'POST', url: `/api/chamados/${call.id}/atendimento` })
    return answer?.statusCode === 200
  }
  const runTask = async (): Promise<boolean> => {
    const task = (await person.read<MaintenanceTask[]>('/api/tarefas-de-manutencao'))?.[0]
    if (!task) return false
    const url = `/api/tarefas-de-manutencao/${task.id}/execucoes`
    const payload = { miniaplicator: APPLICATOR, day: today, note: '' }
    return await person.change({ action: 'task_run', subject: APPLICATOR }, { method: 'POST', url, payload })
  }
  const replacePart = async (): Promise<boolean> => {
    const mounted = (await person.read<{ mounted: { id: number }[] }>(`/api/ferramentas/${APPLICATOR}/pecas`))
      ?.mounted[0]
    if (!mounted) return false
    const payload = { code: `B-${mounted.id}`, limitOfCrimps: LIMIT, usedBefore: 0, reason: 'gasta' }
    const answer = await person.ask({ method: 'POST', url: `/api/pecas/${mounted.id}/troca`, payload })
    return answer?.statusCode === 200
  }
  const onTool = (action: 'limit_changed' | 'maintenance_scheduled' | 'counter_reset', path: string, payload: object) =>
    person.change(
      { action, subject: APPLICATOR },
      { method: action === 'counter_reset' ? 'POST' : 'PUT', url: `${tool}/${path}`, payload },
    )
  const named = { miniaplicator: APPLICATOR }
  const tasks = [
    attend,
    () => onCall('solucao', { causa: 'ajuste', feito: 'Ajuste da altura' }),
    () => onCall('cancelamento', { motivo: 'Engano' }),
    runTask,
    replacePart,
    () => onTool('limit_changed', 'limit', { ...named, limitOfCrimps: random.between(1, LIMIT) }),
    () =>
      onTool('maintenance_scheduled', 'schedule', { ...named, serviceOrder: 7, maintenanceDate: today, comments: '' }),
    () => onTool('counter_reset', 'reset', { ...named, newLimitOfCrimps: LIMIT }),
  ]
  await workUntilOver(plant, random, tasks, BETWEEN_MS)
}

type TakenBack = { username: string; action: AuditAction; motivo: string; pathOf: (id: string) => string }

/** Acts of others that are taken back, each once, and by whom. */
const takenBack = {
  sample: {
    ...{ username: 'qualidade', action: 'measurement_invalidated', motivo: 'Paquímetro trocado' },
    pathOf: (id: string) => `/api/medicoes/${id}/invalidacao`,
  },
  scrap: {
    ...{ username: 'lider', action: 'scrap_undone', motivo: 'Contou errado' },
    pathOf: (id: string) => `/api/refugos/${id}/estorno`,
  },
} satisfies Partial<Record<ActKind, TakenBack>>

export async function takeBack(plant: Plant, taken: keyof typeof takenBack, random: Random): Promise<void> {
  const { username, action, motivo, pathOf }: TakenBack = takenBack[taken]
  const person = new Person(plant, username)
  const done = new Set<string>()
  const take = async (): Promise<boolean> => {
    const act = [...plant.journal.presses.values()].find(
      ({ id, kind, seen }) => kind === taken && seen === 'saved' && !done.has(id),
    )
    if (!act) return false
    done.add(act.id)
    return await person.change(
      { action, subject: act.id },
      { method: 'POST', url: pathOf(act.id), payload: { motivo } },
    )
  }
  await workUntilOver(plant, random, [take], [300, 900])
}

const listRefused = async (person: Person) =>
  (await person.read<{ pendencias: PendingRecording[] }>('/api/pendencias'))?.pendencias.filter(
    ({ situacao }) => situacao === 'recusado',
  ) ?? []

/** Corrects what the ERP did not take, in the name of who made it. */
export async function correctPending(plant: Plant, random: Random): Promise<void> {
  const { journal, sections } = plant
  const person = new Person(plant, 'lider')
  const correct = async (): Promise<boolean> => {
    const open = (await listRefused(person)).filter(({ tipo }) => tipo === 'corte-crimpagem')
    if (open.length === 0) return false
    const { id: originalId } = random.pick(open)
    const original = journal.presses.get(originalId)
    if (!original) return false
    const [id, payload] = [randomUUID(), recordingOf(random.pick(sections), original.pieces)]
    const { pieces, username } = original
    journal.press({ id, kind: 'recording', username, fromTablet: false, pieces, subject: payload.COD_BARRA })
    const change = journal.change('corrected', originalId)
    const url = `/api/pendencias/${originalId}/correcao`
    const answer = await person.askUntilAnswered({ method: 'POST', url, headers: { 'idempotency-key': id }, payload })
    journal.see(id, answer)
    change.isSeen = answer.statusCode < 300
    return change.isSeen
  }
  await workUntilOver(plant, random, [correct], [150, 500])
}

/** Discards, sends again, and marks as delivered what the ERP's own list shows. */
export async function decidePending(plant: Plant, random: Random): Promise<void> {
  const person = new Person(plant, 'admin')
  const isAtErp = (id: string) => {
    const { writes, junctionWrites, receipts } = plant.simulator.state
    return [...writes, ...junctionWrites, ...receipts].some((write) => write.id === id)
  }
  const decide = async (): Promise<boolean> => {
    const open = await listRefused(person)
    if (open.length === 0) return false
    const { id } = random.pick(open)
    const post = (url: string, payload: object) => ({ method: 'POST' as const, url, payload })
    if (random.chance(0.5)) {
      const answer = await person.ask(post('/api/pendencias/reenvio', { ids: [id] }))
      return answer?.statusCode === 200
    }
    return isAtErp(id)
      ? await person.change({ action: 'marked_delivered', subject: id }, post(`/api/pendencias/${id}/entregue`, {}))
      : await person.change(
          { action: 'discarded', subject: id },
          post(`/api/pendencias/${id}/descarte`, { motivo: 'Peça refugada' }),
        )
  }
  await workUntilOver(plant, random, [decide], [300, 900])
}

/** Reads what everybody may read, and tries what only others may. */
export async function readOnly(plant: Plant, random: Random, orders: readonly string[]): Promise<void> {
  const { journal, sections } = plant
  const person = new Person(plant, 'consulta')
  const screens = [
    '/api/pendencias',
    '/api/crimpagens',
    `/api/chamados?filial=${BRANCH}`,
    '/api/ferramentas/plano',
    '/api/retidos',
  ]
  const read = async (): Promise<boolean> => {
    const counter = await person.read<CrimpCounter>(tool)
    if (counter && counter.numberOfCrimps > counter.lifetimeCrimps)
      journal.wrongAnswers.push(`${tool} counts more than its life`)
    const url = random.pick([...screens, searchPath(random.pick(orders))])
    const answer = await person.ask({ url })
    return answer?.statusCode === 200
  }
  const trespass = async (): Promise<boolean> => {
    const payload = recordingOf(random.pick(sections), 1)
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await person.ask({ method: 'POST', url: '/api/apontamentos/corte-crimpagem', headers, payload })
    if (answer && answer.statusCode < 300)
      journal.wrongAnswers.push(`a reader records: ${jsonOf<{ message: string }>(answer).message}`)
    return answer?.statusCode === 403
  }
  await workUntilOver(plant, random, [read, read, trespass], [50, 200])
}
