import { randomUUID } from 'node:crypto'
import type { Random } from '../../../../demo/simulator/random.ts'
import { sampleBlockedLot } from '../../../../demo/simulator/sample-catalogue.ts'
import type { Capture, CutCrimpRecording } from '../../../../src/contract/recordings.ts'
import { orderOf, sectionOf } from '../../../../src/domain/acts/recordings.ts'
import { joinOf } from '../../harness.ts'
import { QueueTablet } from '../queue-tablet.ts'
import { kindsWithoutErp } from '../without-erp.ts'
import { APPLICATOR, BRANCH, recordingOf, type Section } from '../workload.ts'
import { Person, type Plant, pause, workUntilOver } from './plant.ts'

const [calls, samples, scraps] = kindsWithoutErp
/** Few, so that presses about the same thing meet. */
const MACHINES = 6
const BETWEEN_MS: [number, number] = [20, 120]

export const cutCrimpPath = '/api/apontamentos/corte-crimpagem'
const junctionPath = '/api/juncao/registrar-apontamento'
const receiptPath = '/api/conferencia-corte/recebimentos'
export const samplePath = '/api/medicoes'
export const scrapPath = '/api/refugos'
export const callPath = '/api/chamados'

export const callBody = (random: Random) => calls?.bodyOf(`${random.between(1, MACHINES)}`) ?? {}
const placeOf = ({ item, part }: Section) => ({
  ...{ filial: item.Z1_FILIAL, codigoBarras: item.Z1_CODBAR, ordem: orderOf(item), parte: part },
  ...{ maquina: 'KX0001 - Komax', miniaplicador: APPLICATOR },
})
/** Both readings of one end. */
export const sampleBody = (section: Section): object => ({
  ...{ ...samples?.bodyOf(''), ...placeOf(section) },
  terminal: sectionOf(section.item, section.part).terminal ?? '',
})
export const scrapBody = (section: Section, pecas: number): object => ({
  ...{ ...scraps?.bodyOf(''), ...placeOf(section), pecas },
})

/** What the ERP refuses though our rules took it: a person corrects it later. */
const refusedByErp = (payload: CutCrimpRecording): CutCrimpRecording => ({
  ...payload,
  ...(payload.LOTE_TERM_LD1 ? { LOTE_TERM_LD1: sampleBlockedLot } : { LOTE_TERM_LD2: sampleBlockedLot }),
})
/** What no ERP knows. */
const ofUnknownItem = (payload: CutCrimpRecording): CutCrimpRecording => ({ ...payload, COD_BARRA: 'X'.repeat(22) })

/** One tablet and who works with it: acts of all kinds, kept, sent, sent again; the page is loaded again now and then. */
export async function workAtTablet(plant: Plant, username: string, random: Random): Promise<void> {
  const { journal, sections, positions, unreceived } = plant
  const crimps = sections.filter(({ part }) => part !== 'cabo')
  const tablet = new QueueTablet(username, false, (id, answer) => journal.see(id, answer))
  const common = { username, fromTablet: true }
  const record = (section: Section, bend = (payload: CutCrimpRecording) => payload, captura: Capture = {}) => {
    const pieces = random.between(1, 3)
    const payload = bend({ ...recordingOf(section, pieces), captura })
    journal.press({ ...common, id: tablet.freeze(payload), kind: 'recording', pieces, subject: payload.COD_BARRA })
  }
  const measure = (section: Section): string => {
    const id = tablet.freezeWithoutErp(samplePath, sampleBody(section))
    journal.press({ ...common, id, kind: 'sample' })
    return id
  }
  const refused = () => record(random.pick(crimps), refusedByErp, { medidoAltura: true })
  const unknown = () => record(random.pick(sections), ofUnknownItem)
  const press: (() => void)[] = [
    () => record(random.pick(sections)),
    () => record(random.pick(crimps), undefined, { medidoAltura: true, medidoForca: true }),
    () => {
      const section = random.pick(crimps)
      record(section, undefined, { medicoes: [measure(section)] })
    },
    () => void measure(random.pick(crimps)),
    refused,
    unknown,
    () => {
      const subject = random.pick(positions)
      const id = tablet.freeze(joinOf(1, subject), junctionPath)
      journal.press({ ...common, id, kind: 'junction', subject })
    },
    () => {
      const subject = unreceived.pop()
      if (subject === undefined) return
      const id = tablet.freeze({ filial: BRANCH, codigoBarras: subject }, receiptPath)
      journal.press({ ...common, id, kind: 'receipt', subject })
    },
    () => {
      const [section, pieces] = [random.pick(crimps), random.between(1, 3)]
      const id = tablet.freezeWithoutErp(scrapPath, scrapBody(section, pieces))
      journal.press({ ...common, id, kind: 'scrap', pieces, subject: section.item.Z1_CODBAR })
    },
    () => journal.press({ ...common, id: tablet.freezeWithoutErp(callPath, callBody(random)), kind: 'call' }),
  ]
  const send = async () => {
    if (random.chance(0.15)) tablet.reload()
    await tablet.send(plant.reach(), random.chance(0.95))
  }
  const tasks = press.map((act) => async () => {
    act()
    if (random.chance(0.7)) await send()
    return true
  })
  const usual = tasks.filter((_, at) => press[at] !== refused && press[at] !== unknown)
  await workUntilOver(plant, random, [...tasks, ...usual, ...usual, ...usual], BETWEEN_MS)
  while (!tablet.isDone) {
    await send()
    await pause(20)
  }
}

/** A program, or a page with the ERP at hand: each act is repeated under its id until it is answered, and may be refused. */
export async function workDirectly(plant: Plant, username: string, random: Random): Promise<void> {
  const { journal, sections } = plant
  const person = new Person(plant, username)
  const record = async (): Promise<boolean> => {
    const [id, pieces] = [randomUUID(), random.between(1, 3)]
    const payload = recordingOf(random.pick(sections), pieces)
    journal.press({ id, kind: 'recording', username, fromTablet: false, pieces, subject: payload.COD_BARRA })
    const headers = { 'idempotency-key': id }
    journal.see(id, await person.askUntilAnswered({ method: 'POST', url: cutCrimpPath, headers, payload }))
    return true
  }
  const call = async (): Promise<boolean> => {
    const id = randomUUID()
    journal.press({ id, kind: 'call', username, fromTablet: false })
    const given = { method: 'POST' as const, url: callPath, payload: callBody(random) }
    journal.see(id, await person.askUntilAnswered({ ...given, headers: { 'idempotency-key': id } }))
    return true
  }
  await workUntilOver(plant, random, [record, record, record, call], BETWEEN_MS)
}
