import { expect, test } from 'vitest'
import type { AlertCondition } from '#schemas/alerts.ts'
import { evaluateAlert, type EvaluatedGroup } from './evaluate-alert.ts'

type Condition = Pick<AlertCondition, 'measure' | 'comparison' | 'threshold'>
const over5: Condition = { measure: 'errorRate', comparison: 'over', threshold: 5 }
const under5: Condition = { measure: 'requests', comparison: 'under', threshold: 5 }

type Step = [values: Record<string, number | null>, isSilenced?: boolean]

/** @returns the messages sent after each step, such as `+acme` and `-acme`, and the final states */
function run(condition: Condition, steps: readonly Step[]) {
  let groups: EvaluatedGroup[] = []
  let changes = 0
  const messages = steps.map(([values, isSilenced = false], at) => {
    const evaluation = evaluateAlert({
      condition,
      isSilenced,
      groups,
      values: new Map(Object.entries(values)),
      at: `2026-11-20T12:0${at}:00.000Z`,
    })
    groups = evaluation.groups
    changes += evaluation.changes.length
    return [
      ...evaluation.firing.map(({ group }) => `+${group}`),
      ...evaluation.resolved.map(({ group }) => `-${group}`),
    ].join(' ')
  })
  return { messages, changes, states: Object.fromEntries(groups.map(({ group, state }) => [group, state])), groups }
}

test.each<[string, Condition, Step[], string[], string, number]>([
  ['a value at the threshold is fine', over5, [[{ '': 5 }]], [''], 'ok', 0],
  [
    'fires once and resolves once',
    over5,
    [[{ '': 6 }], [{ '': 9 }], [{ '': 2 }], [{ '': 1 }]],
    ['+', '', '-', ''],
    'ok',
    2,
  ],
  ['under a threshold', under5, [[{ '': 4 }], [{ '': 5 }]], ['+', '-'], 'ok', 2],
  [
    'without data nothing is sent',
    over5,
    [[{ '': 6 }], [{ '': null }], [{ '': 6 }], [{ '': 1 }]],
    ['+', '', '', '-'],
    'ok',
    4,
  ],
  ['resolves after a time without data', over5, [[{ '': 6 }], [{ '': null }], [{ '': 1 }]], ['+', '', '-'], 'ok', 3],
  ['without data from the start', over5, [[{ '': null }]], [''], 'no-data', 0],
  ['what began while silenced is sent afterwards', over5, [[{ '': 6 }, true], [{ '': 6 }]], ['', '+'], 'firing', 1],
  [
    'what came and went while silenced is not',
    over5,
    [[{ '': 6 }, true], [{ '': 1 }, true], [{ '': 1 }]],
    ['', '', ''],
    'ok',
    2,
  ],
  [
    'an end while silenced is sent afterwards',
    over5,
    [[{ '': 6 }], [{ '': 1 }, true], [{ '': 1 }]],
    ['+', '', '-'],
    'ok',
    2,
  ],
])('%s', (_name, condition, steps, expected, state, changes) => {
  // "+" and "-" are messages of the only group, whose name is empty.
  expect(run(condition, steps)).toMatchObject({ messages: expected, states: { '': state }, changes })
})

test('each group has messages of its own, and a group that is gone is forgotten unless it fires', () => {
  const steps: Step[] = [[{ acme: 6, bob: 1 }], [{ acme: 6, bob: 7 }], [{ bob: 8 }], [{ bob: 1 }]]
  const { messages, states } = run(over5, steps)
  expect(messages).toEqual(['+acme', '+bob', '', '-bob'])
  // Without requests, its error rate is unknown, so no message says that it is resolved.
  expect(states).toEqual({ acme: 'no-data', bob: 'ok' })
  const fine = run(over5, [[{ acme: 1, bob: 1 }], [{ bob: 1 }], [{ acme: 1, bob: 1 }]])
  expect(fine).toMatchObject({ states: { acme: 'ok', bob: 'ok' }, changes: 0 })
  expect(run(over5, [[{ acme: 1, bob: 1 }], [{ bob: 1 }]]).states).toEqual({ bob: 'ok' })
})

test.each(['requests', 'cost'] as const)('a group without requests counts as zero %s', (measure) => {
  const { messages, states } = run({ ...under5, measure }, [[{ acme: 9, bob: 9 }], [{ bob: 9 }], [{ acme: 9, bob: 9 }]])
  expect(messages).toEqual(['', '+acme', '-acme'])
  expect(states).toEqual({ acme: 'ok', bob: 'ok' })
})

test('the time of a state is that of its first window', () => {
  const { groups } = run(over5, [[{ '': 6 }], [{ '': 7 }], [{ '': 8 }]])
  expect(groups).toEqual([{ group: '', state: 'firing', value: 8, since: '2026-11-20T12:00:00.000Z', told: true }])
})

const numbered = (count: number, name: string, value: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value]))

test('the number of groups is bounded, and those that fire stay', () => {
  const { groups, messages } = run(over5, [[{ ...numbered(146, 'fine', 1), ...numbered(4, 'bad', 9) }]])
  expect(groups).toHaveLength(100)
  expect(messages).toEqual(['+bad0 +bad1 +bad2 +bad3'])
  expect(groups.slice(0, 4).every(({ state }) => state === 'firing')).toBe(true)
})

test('however many groups fire, each sends one message', () => {
  const { messages } = run(over5, [
    [numbered(150, 'g', 9)],
    [{ ...numbered(50, 'new', 9), ...numbered(100, 'g', 9) }],
    [numbered(100, 'g', 1)],
  ])
  expect(messages.map((text) => text.split(' ').filter(Boolean).length)).toEqual([100, 0, 100])
})

test('groups that fire make room for others once they have no requests', () => {
  const { messages, states } = run(over5, [[numbered(100, 'old', 9)], [{ new: 9 }], [{ new: 9 }]])
  expect(messages.slice(1)).toEqual(['+new', ''])
  expect(states).toMatchObject({ new: 'firing', old0: 'no-data' })
  expect(states).not.toHaveProperty('old99')
})

test('a group that is no longer among those with the most requests is still missed when it has none', () => {
  const others = numbered(49, 'other', 9)
  const steps: Step[] = [[{ acme: 9, ...others }], [{ ...numbered(50, 'new', 99), acme: 9, ...others }], [others]]
  expect(run(under5, steps).messages[2]!.split(' ')).toContain('+acme')
})
