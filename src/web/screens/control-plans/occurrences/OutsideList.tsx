import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Characteristic, characteristics } from '../../../../contract/measurements.ts'
import {
  type OutsideAct,
  type OutsideReading,
  outsideActs,
  type TakenOutChoice,
  takenOutChoices,
} from '../../../../contract/outside-acts.ts'
import { actionTexts } from '../../../../domain/quality/measuring.ts'
import { type Followed, followedBy, outsideFileName, outsideText } from '../../../../domain/quality/outside-acts.ts'
import { sideTexts } from '../../../../domain/quality/plan-gate.ts'
import { characteristicTexts } from '../../../../domain/reports/spc-names.ts'
import { useMomentWords } from '../../../parts/calls/calls.ts'
import { SuspectLink } from '../../../parts/containments/SuspectLink.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { HistoryLink } from '../../../parts/traces/HistoryLink.tsx'
import { useNow } from '../../../parts/useNow.ts'
import { call, callForFile } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { formatInstant } from '../../../text/format.ts'
import { links } from '../../../text/links.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { ChartLinks, CodeOf, linkStyle, useTraceOfRow } from './FindingsList.tsx'
import {
  Days,
  Filters,
  Nothing,
  type OccurrenceFilter,
  Pages,
  REREAD_MS,
  TreatDialog,
  Treated,
  useFilter,
} from './parts.tsx'

type Filter = OccurrenceFilter & { tipo?: Characteristic; tiradas?: TakenOutChoice }

const takenOutTexts: Record<TakenOutChoice, string> = {
  sim: 'Sim',
  'por-quem-mediu': 'Por quem mediu',
}

/** Samples outside their plan, what followed each of them, and what quality did about it. */
export function OutsideList() {
  const { filter, page, setPage, choose, isWrong } = useFilter<Filter>()
  const reading = useQuery({
    ...query(outsideActs.list, { query: page === 1 ? filter : { ...filter, pagina: page } }),
    placeholderData: keepPreviousData,
    enabled: !isWrong,
    refetchInterval: REREAD_MS,
  })
  const { data } = reading
  return (
    <div className="flex flex-col gap-4">
      <Filters
        filter={filter}
        answered={data}
        onChoose={choose}
        file={{ ask: () => callForFile(outsideActs.csv, { query: filter }), nameOf: outsideFileName }}
      >
        <SelectField
          label="Medida"
          placeholder="Todas"
          options={characteristics}
          textOf={(one) => characteristicTexts[one]}
          value={filter.tipo ?? ''}
          onChange={(one) => choose('tipo', one)}
        />
        <SelectField
          label="Tiradas das contas"
          placeholder="Não"
          options={takenOutChoices}
          textOf={(one) => takenOutTexts[one]}
          value={filter.tiradas ?? ''}
          onChange={(one) => choose('tiradas', one)}
        />
      </Filters>
      <ReadingState reading={reading} loadingText="Carregando medições fora..." />
      {data && data.total === 0 && (
        <Nothing filter={filter} one="medição fora">
          Nenhuma medição fora do plano.
        </Nothing>
      )}
      {data && data.total > 0 && (
        <>
          <Pages page={page} total={data.total} one="medição fora" more="medições fora" onTurn={setPage} />
          <Days {...{ title: 'Medições fora por dia', unit: 'medições fora', ...data }} nameOf={characteristicsName} />
          <OutsideTable list={data.medicoes} />
        </>
      )}
    </div>
  )
}

const characteristicsName = (kind: string) =>
  kind
    .split(' ')
    .map((one) => characteristicTexts[one as Characteristic] ?? one)
    .join(', ')

const nameOf = (act: OutsideAct, timeZone: string) => `OP ${act.ordem}, ${formatInstant(act.medidoEm, timeZone)}`

function OutsideTable({ list }: { list: readonly OutsideAct[] }) {
  const { timeZone } = useSettings()
  const [treatedId, setTreatedId] = useState<string | null>(null)
  const act = list.find(({ id }) => id === treatedId)
  return (
    <>
      <Table label="Medições fora" heightMax="max-h-none">
        <TableHead>
          <Th>Data e hora</Th>
          <Th>Onde</Th>
          <Th>Medido</Th>
          <Th>O que fez</Th>
          <Th>Operador</Th>
          <Th>O que seguiu</Th>
          <Th>Situação</Th>
        </TableHead>
        <TableBody>
          {list.map((one) => (
            <OutsideRow key={one.id} act={one} onTreat={() => setTreatedId(one.id)} />
          ))}
        </TableBody>
      </Table>
      {act && (
        <TreatDialog
          title={`Tratar medição fora: ${nameOf(act, timeZone)}`}
          treatments={act.tratamentos}
          send={(texto) => call(outsideActs.treat, { params: { id: act.id }, body: { texto } })}
          changes={[outsideActs.list]}
          onClose={() => setTreatedId(null)}
        />
      )}
    </>
  )
}

function OutsideRow({ act, onTreat }: { act: OutsideAct; onTreat: () => void }) {
  const { timeZone } = useSettings()
  const openTrace = useTraceOfRow(act)
  const { maquina, miniaplicador, parte, terminal, liberadoPor } = act
  return (
    <Row onPress={openTrace}>
      <Td label="Data e hora">{formatInstant(act.medidoEm, timeZone)}</Td>
      <Td label="Onde">
        <span className="flex flex-col max-md:items-end">
          <span className="code">OP {act.ordem}</span>
          <CodeOf {...act} />
          <span className="text-sm text-muted">{[sideTexts[parte], terminal].filter(Boolean).join(' · ')}</span>
          <span className="text-sm text-muted">{[maquina, miniaplicador].filter(Boolean).join(' · ')}</span>
          <HistoryLink place={act} act={act.id} label={nameOf(act, timeZone)} />
        </span>
      </Td>
      <Td label="Medido">
        <span className="flex flex-col gap-1 font-semibold max-md:items-end">
          {act.leituras.map((one) => (
            <span key={one.caracteristica}>{outsideText(one)}</span>
          ))}
          <ChartLinks
            of={{ ...act, cartas: act.leituras.map(({ caracteristica }) => caracteristica) }}
            label={nameOf(act, timeZone)}
          />
        </span>
      </Td>
      <Td label="O que fez" isBlank={act.acao === null}>
        {act.acao && actionTexts[act.acao]}
      </Td>
      <Td label="Operador">
        <span className="flex flex-col max-md:items-end">
          {act.operador}
          {liberadoPor && <span className="text-sm text-muted">liberado por {liberadoPor}</span>}
        </span>
      </Td>
      <Td label="O que seguiu">
        <span className="flex flex-col gap-1 max-md:items-end">
          {act.leituras.map((one) => (
            <WhatFollowed key={one.caracteristica} act={act} reading={one} />
          ))}
          {act.tirada === null && (
            <SuspectLink
              subject={{ medicao: act.id, caracteristicas: act.leituras.map(({ caracteristica }) => caracteristica) }}
              label={nameOf(act, timeZone)}
            />
          )}
        </span>
      </Td>
      <Td label="Situação">
        <Treated
          situation={act.situacao}
          treatments={act.tratamentos}
          label={`medição fora: ${nameOf(act, timeZone)}`}
          onTreat={onTreat}
        />
      </Td>
    </Row>
  )
}

type FollowedProps = { act: OutsideAct; reading: OutsideReading }

/** Each in a link to what it speaks of; of several characteristics each with its name. */
function WhatFollowed({ act, reading }: FollowedProps) {
  const nowMs = useNow()
  const write = { now: nowMs, ...useMomentWords(nowMs) }
  const isOnly = act.leituras.length === 1
  return (
    <span className="flex flex-col max-md:items-end">
      {!isOnly && <span className="text-sm text-muted">{characteristicTexts[reading.caracteristica]}</span>}
      {followedBy(reading, act, write).map((one) => (
        <span key={one.kind} className={one.isBad ? 'font-semibold text-bad-ink' : ''}>
          <FollowedLink act={act} reading={reading} followed={one} />
        </span>
      ))}
    </span>
  )
}

function FollowedLink({ act, reading, followed: { kind, text, isBad } }: FollowedProps & { followed: Followed }) {
  if (kind === 'nothing' || kind === 'treated') return text
  if (kind === 'called') {
    return (
      <Link to={links.crimpCounters} search={{ aba: 'chamados' }} className={linkStyle}>
        {text}
      </Link>
    )
  }
  // what came after stands below it there
  const there = kind === 'measured' ? (reading.medida?.id ?? act.id) : act.id
  return <HistoryLink place={act} act={there} text={text} isBad={isBad} />
}
