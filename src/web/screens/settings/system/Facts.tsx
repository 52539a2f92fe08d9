/** Names and what is known of each, one below the other. */
export const Facts = ({ rows }: { rows: readonly [name: string, fact: string][] }) => (
  <dl className="grid grid-cols-[fit-content(40%)_1fr] gap-x-6 gap-y-2">
    {rows.map(([name, fact]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="min-w-0 font-medium wrap-anywhere">{fact}</dd>
      </div>
    ))}
  </dl>
)
