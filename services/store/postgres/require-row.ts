import { Problem } from '#core/problem.ts'

/**
 * A row that every account has.
 * @throws Problem `unauthorized`: the account was deleted while the call was under way
 */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Problem('unauthorized')
  return row
}
