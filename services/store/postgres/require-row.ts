import { Problem } from '#core/problem.ts'

export const firstRow = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | undefined> => (await rows)[0]

/** Whether a query has found or changed any rows. */
export const hasRows = async (rows: PromiseLike<{ readonly count: number }>): Promise<boolean> => (await rows).count > 0

/**
 * Requires a row that every account has.
 * @throws Problem `unauthorized` if the account was deleted during the call
 */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Problem('unauthorized')
  return row
}
