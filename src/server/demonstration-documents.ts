import { Readable } from 'node:stream'
import type { DocumentForm } from '../contract/documents.ts'
import { makePdf, makePng } from './demonstration-files.ts'
import { keepFile, type ReceivedFile, receiveFile } from './document-folder.ts'
import type { Tx } from './store/db.ts'
import { insertDocument, insertRevision } from './store/documents.ts'

type SampleRevision = { revision: string; fileName: string; bytes: Buffer; daysAgo: number }
type Sample = DocumentForm & { revisions: SampleRevision[] }

const DAY_MS = 86_400_000

/** A trunk with branches, as many as that revision of the harness has. */
const harness = (branches: number) =>
  [
    '2 w 60 420 m 535 420 l S',
    ...Array.from({ length: branches }, (_, at) => {
      const x = 110 + at * Math.floor(400 / branches)
      const y = at % 2 === 0 ? 540 : 300
      return `1.5 w ${x} 420 m ${x + 30} ${y} l S ${x + 20} ${y - 10} 40 20 re S`
    }),
  ].join('\n')

const harnessDrawing = (revision: string, branches: number) =>
  makePdf([
    {
      lines: [
        'Desenho do chicote CHT000412-01',
        `Revisão ${revision}   ${branches} derivações`,
        'Documento de exemplo da demonstração',
      ],
      drawing: harness(branches),
    },
  ])

const crimpInstruction = makePdf([
  {
    lines: [
      'Instrução de crimpagem T1326030',
      '1. Conferir o lote do terminal e o mini aplicador.',
      '2. Crimpar três peças e medir a altura.',
      '3. Medir a força de uma peça.',
      'Documento de exemplo da demonstração',
    ],
    drawing: '1.5 w 80 420 300 90 re S 380 440 120 50 re S',
  },
  {
    lines: ['Defeitos a recusar', 'Fio cortado, isolante preso na crimpagem, terminal torto.'],
    drawing: '1.5 w 80 500 m 260 620 l S 80 620 m 260 500 l S',
  },
])

/** Seen from the side: base, ram and the reel's arm. */
const isOfTool = (x: number, y: number) =>
  (y > 260 && x > 60 && x < 420) ||
  (x > 190 && x < 290 && y > 60 && y < 230) ||
  (y > 120 && y < 150 && x > 290 && x < 440)

const toolPicture = makePng(480, 320, (x, y) => (isOfTool(x, y) ? 90 : 245))

const samples: Sample[] = [
  {
    titulo: 'Desenho do chicote CHT000412-01',
    vinculos: [{ tipo: 'produto', codigo: 'CHT000412-01', revisao: 'C' }],
    revisions: [
      { revision: 'B', fileName: 'CHT000412-01 rev B.pdf', bytes: harnessDrawing('B', 4), daysAgo: 210 },
      { revision: 'C', fileName: 'CHT000412-01 rev C.pdf', bytes: harnessDrawing('C', 6), daysAgo: 40 },
    ],
  },
  {
    titulo: 'Instrução de crimpagem T1326030',
    vinculos: [{ tipo: 'terminal', codigo: 'T1326030', revisao: '' }],
    revisions: [{ revision: '1', fileName: 'Crimpagem T1326030.pdf', bytes: crimpInstruction, daysAgo: 90 }],
  },
  {
    titulo: 'Mini aplicador MA-0001',
    vinculos: [{ tipo: 'miniaplicador', codigo: 'MA-0001', revisao: '' }],
    revisions: [{ revision: '1', fileName: 'MA-0001.png', bytes: toolPicture, daysAgo: 90 }],
  },
]

/** The files of the sample documents, by their revisions. */
export type SampleFiles = ReadonlyMap<SampleRevision, ReceivedFile>

/** Before the transaction that names them. */
export async function keepSampleFiles(folder: string): Promise<SampleFiles> {
  const files = new Map<SampleRevision, ReceivedFile>()
  for (const revision of samples.flatMap(({ revisions }) => revisions)) {
    const file = await receiveFile(Readable.from([revision.bytes]), folder)
    await keepFile(folder, file)
    files.set(revision, file)
  }
  return files
}

export async function seedDocuments(tx: Tx, files: SampleFiles, now: number): Promise<void> {
  for (const { revisions, ...form } of samples) {
    const agoMs = Math.max(...revisions.map(({ daysAgo }) => daysAgo)) * DAY_MS
    const documentId = await insertDocument(tx, { ...form, at: now - agoMs })
    for (const sample of revisions) {
      const file = files.get(sample)
      if (!file) throw new Error(`no file of ${sample.fileName}`)
      const { revision, fileName, daysAgo } = sample
      const at = now - daysAgo * DAY_MS
      await insertRevision(tx, { documentId, revision, fileName, file, uploadedBy: 'Administrador', at })
    }
  }
}
