import { validate } from 'uuid'
import { day, second } from '#core/units.ts'

// Values as SQL text, for queries that are to run side by side: chDB takes those with parameters one after the other.
// Only what can be nothing else than such a value passes.

export function uuidLiteral(id: string): string {
  if (!validate(id)) throw new Error('this is no UUID')
  return `toUUID('${id}')`
}

/** @param name as the IANA has it */
export function timezoneLiteral(name: string): string {
  if (/[^\w+:/-]|^$/.test(name)) throw new Error('this is no timezone')
  return `'${name}'`
}

/** @param at ms since 1970; what is below a second is cut off */
export const timeLiteral = (at: number): string => `toDateTime(${wholeSteps(at, second)}, 'UTC')`

/** @param at ms since 1970; the day in UTC */
export const dateLiteral = (at: number): string => `toDate(${wholeSteps(at, day)})`

function wholeSteps(at: number, step: number): number {
  if (!Number.isFinite(at)) throw new Error('this is no time')
  return Math.floor(at / step)
}
