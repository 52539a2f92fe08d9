import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { outsideActs } from '../../../../contract/outside-acts.ts'
import { useAddress } from '../../../parts/useAddress.ts'
import { ApiError } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { formatCount } from '../../../text/format.ts'
import { RadioChoice } from '../../../ui/RadioChoice.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { FindingsList } from './FindingsList.tsx'
import { OutsideList } from './OutsideList.tsx'
import { REREAD_MS } from './parts.tsx'

const LIST = 'medicoes-fora'

const outsideTitle = (unanswered: number) =>
  unanswered === 0 ? 'Medições fora' : `Medições fora (${formatCount(unanswered)} sem resposta)`

/** Recordings and samples outside their plan. A server of the version before lists the first alone. */
export function OccurrencesTab() {
  const { params, replace } = useAddress()
  const [isOlder, setOlder] = useState(false)
  const { data, error, isPending, errorUpdateCount } = useQuery({
    ...query(outsideActs.list, { query: {} }),
    // answers become late by themselves
    refetchInterval: REREAD_MS,
  })
  // a failure is forgotten while it is asked again: what it said holds until an answer
  if (data && !error && isOlder) setOlder(false)
  if (!isOlder && error instanceof ApiError && error.status === 404) setOlder(true)
  if (isPending && errorUpdateCount === 0) return <Spinner>Carregando ocorrências...</Spinner>
  const isOutside = !isOlder && params.get('lista') === LIST
  return (
    <div className="flex flex-col gap-4">
      {!isOlder && (
        <RadioChoice
          label="Mostrar"
          options={[
            { value: '', label: 'Apontamentos' },
            { value: LIST, label: outsideTitle(data?.semResposta ?? 0) },
          ]}
          value={isOutside ? LIST : ''}
          onChange={(list) => replace({ lista: list || null })}
        />
      )}
      {isOutside ? <OutsideList /> : <FindingsList isOlder={isOlder} />}
    </div>
  )
}
