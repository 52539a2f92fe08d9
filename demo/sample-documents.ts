import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { DocumentForm } from '../src/contract/documents.ts'
import { keepFile, type ReceivedFile, receiveFile } from '../src/server/documents/document-folder.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { insertDocument, insertRevision } from '../src/server/store/documents.ts'

type SampleRevision = { revision: string; fileName: string; daysAgo: number }
type Sample = DocumentForm & { revisions: SampleRevision[] }

const DAY_MS = 86_400_000
const SAMPLES = join(import.meta.dirname, 'documents')

const samples: Sample[] = [
  {
    titulo: 'Desenho do chicote CHT000412-01',
    vinculos: [{ tipo: 'produto', codigo: 'CHT000412-01', revisao: 'C' }],
    revisions: [
      { revision: 'B', fileName: 'CHT000412-01 rev B.pdf', daysAgo: 210 },
      { revision: 'C', fileName: 'CHT000412-01 rev C.pdf', daysAgo: 40 },
    ],
  },
  {
    titulo: 'Instrução de crimpagem T1326030',
    vinculos: [{ tipo: 'terminal', codigo: 'T1326030', revisao: '' }],
    revisions: [{ revision: '1', fileName: 'Crimpagem T1326030.pdf', daysAgo: 90 }],
  },
  {
    titulo: 'Mini aplicador MA-0001',
    vinculos: [{ tipo: 'miniaplicador', codigo: 'MA-0001', revisao: '' }],
    revisions: [{ revision: '1', fileName: 'MA-0001.png', daysAgo: 90 }],
  },
]

/** The files of the sample documents, by their revisions. */
type SampleFiles = ReadonlyMap<SampleRevision, ReceivedFile>

/** Before the transaction that names them. */
export async function keepSampleFiles(folder: string): Promise<SampleFiles> {
  const files = new Map<SampleRevision, ReceivedFile>()
  for (const revision of samples.flatMap(({ revisions }) => revisions)) {
    const file = await receiveFile(createReadStream(join(SAMPLES, revision.fileName)), folder)
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
