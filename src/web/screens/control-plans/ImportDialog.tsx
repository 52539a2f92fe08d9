import { useEffect, useRef, useState } from 'react'
import { controlPlans } from '../../../contract/control-plans.ts'
import { refusalText } from '../../../contract/errors.ts'
import { PLAN_FILE_BYTES_MAX, type PlanImport, planImports } from '../../../contract/plan-changes.ts'
import { FileChoice } from '../../parts/FileChoice.tsx'
import { useSettings } from '../../parts/settings.ts'
import { upload } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { formatCount } from '../../text/format.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'

const many = (count: number, one: string, more: string) => `${formatCount(count)} ${count === 1 ? one : more}`

/** '42 linhas: 30 novas, 8 alteradas, 3 iguais, 1 com erro' */
const countsText = ({ linhas, novas, alteradas, iguais, comErro }: PlanImport): string =>
  `${many(linhas, 'linha', 'linhas')}: ${[
    many(novas, 'nova', 'novas'),
    many(alteradas, 'alterada', 'alteradas'),
    many(iguais, 'igual', 'iguais'),
    `${formatCount(comErro)} com erro`,
  ].join(', ')}`

/** Shows what a file would do, then does all of it or nothing. Mounted while it is open. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { planApproval } = useSettings()
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<PlanImport | null>(null)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const send = (chosen: File, query: { simular?: 'sim' }) =>
    upload(planImports.importAll, { query }, chosen, {
      onProgress: () => undefined,
      signal: stop.current.signal,
    })
  const checking = useSave({ send: (chosen: File) => send(chosen, { simular: 'sim' }), onSaved: setPreview })
  const importing = useSave({
    send: (chosen: File) => send(chosen, {}),
    changes: [controlPlans.list],
    toast: (done) => ({ kind: 'success', text: `Importados: ${countsText(done)}.` }),
    onSaved: onClose,
  })
  const choose = (chosen: File) => {
    setFile(chosen)
    setPreview(null)
    importing.forget()
    if (chosen.size <= PLAN_FILE_BYTES_MAX) checking.save(chosen)
  }
  const isTooLarge = file !== null && file.size > PLAN_FILE_BYTES_MAX
  const failure = isTooLarge ? refusalText('upload_too_large', { max: 1 }) : (importing.failure ?? checking.failure)
  const changeCount = preview && preview.comErro === 0 ? preview.novas + preview.alteradas : 0
  return (
    <FormDialog
      title="Importar planos de controle"
      width="md"
      saveText="Importar"
      busyText="Importando..."
      isValid={changeCount > 0 && !checking.isBusy}
      isBusy={importing.isBusy}
      error={failure}
      onSave={() => file && importing.save(file)}
      onClose={onClose}
    >
      <p>
        Um CSV como o de "Exportar CSV": a primeira linha nomeia as colunas, e "Terminal" e "Bitola" não podem faltar.
        Planos alterados recebem nova versão, válida{' '}
        {planApproval === 'outra-pessoa' ? 'depois que outra pessoa a aprovar' : 'na hora'}. Com um erro, nada é
        importado.
      </p>
      <FileChoice text={file?.name} isBusy={checking.isBusy || importing.isBusy} onFile={choose} />
      {preview && <Preview preview={preview} />}
    </FormDialog>
  )
}

const placeText = (line: number, column: string) => (column === '' ? `Linha ${line}` : `Linha ${line}, ${column}`)

function Preview({ preview }: { preview: PlanImport }) {
  const { erros, comErro, terminaisDesconhecidos = 0 } = preview
  return (
    <>
      <p role="status" className="text-lg font-semibold">
        {countsText(preview)}
      </p>
      {erros.length > 0 && (
        <ul aria-label="Linhas com erro" className="flex flex-col gap-1">
          {erros.map(({ linha, campo, mensagem }) => (
            <li key={`${linha} ${campo} ${mensagem}`} className="wrap-anywhere">
              <span className="font-semibold">{placeText(linha, campo)}:</span> {mensagem}
            </li>
          ))}
        </ul>
      )}
      {terminaisDesconhecidos > 0 && (
        <p>
          {many(terminaisDesconhecidos, 'terminal que', 'terminais que')} nenhum plano, cadastro ou ordem conhece.
          Confira
          {terminaisDesconhecidos === 1 ? ' o nome.' : ' os nomes.'}
        </p>
      )}
      {comErro > 0 && <p className="text-muted">Corrija a planilha e escolha o arquivo de novo.</p>}
    </>
  )
}
