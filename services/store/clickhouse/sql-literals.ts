import { validate } from 'uuid'
import { day, second } from '#core/units.ts'

// Values as SQL text, because chDB does not run queries with parameters concurrently. Each one is validated or quoted.

export function uuidLiteral(id: string): string {
  if (!validate(id)) throw new Error('not a UUID')
  return `toUUID('${id}')`
}

export const textLiteral = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

/** @param name from the IANA database */
export function timezoneLiteral(name: string): string {
  if (/[^\w+:/-]|^$/.test(name)) throw new Error('not a timezone')
  return `'${name}'`
}

/** @param at ms since 1970, rounded down to seconds */
export const timeLiteral = (at: number): string => `toDateTime(${wholeSteps(at, second)}, 'UTC')`

/** @param at ms since 1970 */
export const momentLiteral = (at: number): string => `fromUnixTimestamp64Milli(toInt64(${wholeSteps(at, 1)}), 'UTC')`

/** @param at ms since 1970; the day in UTC */
export const dateLiteral = (at: number): string => `toDate(${wholeSteps(at, day)})`

function wholeSteps(at: number, step: number): number {
  if (!Number.isFinite(at)) throw new Error('not a time')
  return Math.floor(at / step)
}
