import { setImmediate as nextTurn } from 'node:timers/promises'
import { visitMembers } from './visit-members.ts'

const [backslash, lowerU] = [0x5c, 0x75]

export interface Member {
  /** Position of the name's opening quote; -1 if it occurs only in another letter case. */
  nameAt: number
  /** Position of the value; -1 as well. */
  from: number
  to: number
  /** How many members have this name in any letter case: parsers differ in which one they use. */
  count: number
}

export type Members<Name extends string> = Partial<Record<Name, Member>>

/**
 * Finds members of a JSON object by name, as `JSON.parse` would.
 * @param names ASCII, each starting with a lower-case letter; other spellings of a capital letter are not found
 * @param inAnyCase whether to return members that occur only in another letter case, which some servers read
 * @returns undefined for anything but a JSON object
 */
export function findMembers<Name extends string>(
  json: Buffer,
  names: readonly Name[],
  inAnyCase = false,
): Members<Name> | undefined {
  const search = searchMembers(json, names, inAnyCase)
  for (;;) {
    const step = search.next()
    if (step.done) return step.value
  }
}

export async function findMembersInTurns<Name extends string>(
  json: Buffer,
  names: readonly Name[],
  inAnyCase = false,
): Promise<Members<Name> | undefined> {
  const search = searchMembers(json, names, inAnyCase)
  for (;;) {
    const step = search.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

function* searchMembers<Name extends string>(
  json: Buffer,
  names: readonly Name[],
  inAnyCase: boolean,
): Generator<void, Members<Name> | undefined> {
  const found: Members<Name> = {}
  const isObject = yield* visitMembers(json, (nameAt, nameEnd, from, to) => {
    const first = json[nameAt + 1]!
    for (const name of names) {
      if ((first | 0x20) !== name.charCodeAt(0) && first !== backslash) continue
      const spelling = spellingOf(json, nameAt + 1, nameEnd - 1, name)
      if (spelling === 'other') continue
      const member = (found[name] ??= { nameAt: -1, from: -1, to: -1, count: 0 })
      member.count += 1
      if (spelling !== 'exact') continue
      member.nameAt = nameAt
      member.from = from
      member.to = to
    }
  })
  if (!isObject) return undefined
  if (inAnyCase) return found
  for (const name of names) if (found[name]?.from === -1) found[name] = undefined
  return found
}

/** Compares in place, because an object may consist mostly of names. */
function spellingOf(json: Buffer, from: number, to: number, name: string): 'exact' | 'in another case' | 'other' {
  let at = from
  let isExact = true
  for (let index = 0; index < name.length; index += 1) {
    let code = json[at]!
    if (code === backslash && json[at + 1] === lowerU) {
      code = hexAt(json, at + 2)
      at += 6
    } else at += 1
    const wanted = name.charCodeAt(index)
    if (code === wanted) continue
    if ((code | 0x20) !== wanted) return 'other'
    isExact = false
  }
  if (at !== to) return 'other'
  return isExact ? 'exact' : 'in another case'
}

/** The value of four hexadecimal digits. The low half of a letter's code is nine less than its value. */
function hexAt(json: Buffer, at: number): number {
  let value = 0
  for (let digit = at; digit < at + 4; digit += 1) value = value * 16 + (json[digit]! & 15) + (json[digit]! >> 6) * 9
  return value
}
