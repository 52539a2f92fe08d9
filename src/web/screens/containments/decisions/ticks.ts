import { CONTAINMENT_PAGE, type ContainmentRow } from '../../../../contract/containments.ts'

type Counted = Pick<ContainmentRow, 'id' | 'suspeitas' | 'retrabalho'>

/** Pieces that somebody still has to decide about. */
export const isUndecided = ({ suspeitas, retrabalho }: Counted) => suspeitas + retrabalho > 0

/** Rows that one decision takes: those ticked, as many as the server takes at once. */
export const chosenOf = <One extends Counted>(rows: readonly One[], ticked: ReadonlySet<number>): One[] =>
  rows.filter((row) => isUndecided(row) && ticked.has(row.id)).slice(0, CONTAINMENT_PAGE)
