import type { Conditions } from './logs/log-filters.ts'
import type { RangePiece } from './range-pieces.ts'
import { dateLiteral, momentLiteral, timeLiteral, uuidLiteral } from './sql-literals.ts'

/** Requests of a time range in one table that meet some conditions. */
export interface Piece<Table extends string = string> extends RangePiece<Table> {
  conditions: Conditions
}

/** A query, or part of one, and its parameters. Values never become SQL text. */
export interface Query {
  sql: string
  params: Record<string, unknown>
}

/**
 * Selects the requests of all pieces, for a subquery. Pieces with the same table and conditions are read together.
 * @param toSelect returns the SELECT from one table; all tables give the same columns
 */
export function selectPieces<Part extends Piece>(
  accountId: string,
  pieces: readonly Part[],
  toSelect: (part: Part, where: string) => string,
): Query {
  const parts = Map.groupBy(pieces, (part) => JSON.stringify({ ...part, from: 0, to: 0 }))
  const selects = Array.from(parts.values(), (list) => {
    const [part] = list as [Part]
    return `(${toSelect(part, whereWithin(accountId, list, part.conditions))})`
  })
  return {
    sql: selects.join(' UNION ALL '),
    params: Object.assign({}, ...pieces.map(({ conditions }) => conditions.params)),
  }
}

/**
 * Selects the same columns of all pieces, for a subquery.
 * @param columnsOf a table; all tables give the same columns
 * @param rest what follows the conditions of each piece: more conditions, an order, a limit
 */
export const selectColumns = <Part extends Piece>(
  accountId: string,
  pieces: readonly Part[],
  columnsOf: (table: Part['table']) => string,
  rest = '',
): Query =>
  selectPieces(
    accountId,
    pieces,
    ({ table }, where) => `SELECT ${columnsOf(table)} FROM ${table} WHERE ${where} ${rest}`,
  )

/** Requests of an account within any of the ranges of a table. */
export function whereWithin(accountId: string, ranges: readonly RangePiece<string>[], { sql }: Conditions): string {
  const within = ranges.map(({ table, from, to }) => between(table, from, to)).join(' OR ')
  return [`account_id = ${uuidLiteral(accountId)}`, `(${within})`, ...sql].join(' AND ')
}

function between(table: string, from: number, to: number): string {
  if (table === 'request_logs') return `created_at >= ${momentLiteral(from)} AND created_at < ${momentLiteral(to)}`
  const literal = table.endsWith('_day') ? dateLiteral : timeLiteral
  return `bucket >= ${literal(from)} AND bucket < ${literal(to)}`
}
