import { expect, test } from 'vitest'
import { keysOf } from '#core/records.ts'
import { ChangeDimension, type ChangeMeasure } from '#schemas/analytics-changes.ts'
import { type Candidate, type Compared, rankChanges } from './change-ranking.ts'

type Dimension = 'model' | 'endpoint' | 'token' | 'key' | 'customer' | 'feature' | 'errorCode'
interface Row extends Record<Dimension, string> {
  isNow: boolean
  status: string
  outcome: string
  ms: number
  cost: number
}
interface Incident {
  measure: ChangeMeasure
  dimension: Dimension
  value: string
}

/** Uniform random numbers from 0 to 1, the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32
  }
}

const names = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`)
const causes = {
  model: names('model', 6),
  endpoint: names('endpoint', 3),
  token: names('token', 12),
  key: names('key', 3),
  customer: names('customer', 40),
  feature: names('feature', 8),
} satisfies Partial<Record<Dimension, string[]>>
const errorCodes = names('code', 4)

/** Picks a few values often and many rarely. */
const pick = (values: readonly string[], random: () => number) => values[Math.floor(values.length * random() ** 2)]!

/** Roughly normal noise from -3 to 3. */
const noise = (random: () => number) => (random() + random() + random() - 1.5) * 2

function rowsOf(count: number, isNow: boolean, incident: Incident, random: () => number): Row[] {
  const { measure, dimension, value } = incident
  return Array.from({ length: count }).flatMap(() => {
    const row: Row = {
      isNow,
      model: pick(causes.model, random),
      endpoint: pick(causes.endpoint, random),
      token: pick(causes.token, random),
      key: pick(causes.key, random),
      customer: pick(causes.customer, random),
      feature: pick(causes.feature, random),
      errorCode: '',
      status: '200',
      outcome: 'completed',
      ms: Math.exp(6 + noise(random)),
      cost: Math.round(Math.exp(11 + noise(random))),
    }
    const isHit = isNow && row[dimension] === value
    const failureRate = dimension === 'errorCode' && isNow ? 0.12 : isHit && measure === 'errors' ? 0.3 : 0.03
    if (random() < failureRate) {
      row.errorCode = failureRate === 0.12 && random() < 0.75 ? value : pick(errorCodes, random)
      row.status = row.errorCode === 'code-0' ? '429' : '500'
    }
    if (isHit && measure === 'slow') row.ms *= 4
    if (isHit && measure === 'cost') row.cost *= 3
    return isHit && measure === 'requests' ? [row, row] : [row]
  })
}

const quantile = (values: number[], part: number) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!

const tags: readonly string[] = ['customer', 'feature']

const newCandidate = (name: string, value: string): Candidate => ({
  dimension: tags.includes(name) ? 'tag' : ChangeDimension.parse(name),
  tag: tags.includes(name) ? name : null,
  value,
  now: { requests: 0, amount: 0 },
  before: { requests: 0, amount: 0 },
  squares: 0,
})

/** Counts rows as the store does. */
function countRows(rows: readonly Row[], measure: ChangeMeasure): { candidates: Candidate[]; all: Compared } {
  const slowAbove = quantile(
    rows.filter(({ isNow }) => !isNow).map(({ ms }) => ms),
    0.95,
  )
  const amountOf = (row: Row) =>
    ({ requests: 1, errors: Number(row.status !== '200'), slow: Number(row.ms > slowAbove), cost: row.cost })[measure]
  const counted = new Map<string, Candidate>()
  const all: Compared = newCandidate('model', 'all of them')
  for (const row of rows) {
    const amount = amountOf(row)
    for (const name of dimensions) {
      const key = `${name} ${row[name]}`
      const candidate = counted.get(key) ?? newCandidate(name, row[name])
      counted.set(key, candidate)
      add(candidate, row.isNow, amount)
    }
    add(all, row.isNow, amount)
  }
  return { candidates: [...counted.values()], all }
}

const dimensions = [...keysOf(causes), 'errorCode', 'status', 'outcome'] as const

function add(compared: Compared, isNow: boolean, amount: number) {
  const time = isNow ? compared.now : compared.before
  time.requests += 1
  time.amount += amount
  compared.squares += amount ** 2
}

const scale = 1 / 2
const before = 2_800

function rankingOf(incident: Incident, seed: number) {
  const random = randomFrom(seed)
  const rows = [...rowsOf(before, false, incident, random), ...rowsOf(before * scale, true, incident, random)]
  const { candidates, all } = countRows(rows, incident.measure)
  return rankChanges(candidates, all, { measure: incident.measure, scale }).changes
}

const incidentDimensions = [...keysOf(causes), 'errorCode'] as const

/** 100 incidents: each cause in turn with one of its four most frequent values, and each error code. */
const incidents = Array.from({ length: 100 }, (_, at): Incident => {
  const dimension = incidentDimensions[at % incidentDimensions.length]!
  const turn = Math.floor(at / incidentDimensions.length)
  if (dimension === 'errorCode') return { measure: 'errors', dimension, value: errorCodes[turn % errorCodes.length]! }
  const measure = (['requests', 'errors', 'slow', 'cost'] as const)[turn % 4]!
  return { measure, dimension, value: causes[dimension][Math.floor(turn / 4) % Math.min(4, causes[dimension].length)]! }
})

test('of 100 incidents, the cause is first in at least 95', () => {
  const missed = incidents.filter((incident, at) => {
    const [first] = rankingOf(incident, at + 1)
    return (first?.tag ?? first?.dimension) !== incident.dimension || first?.value !== incident.value
  })
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(5)
})

test('without an incident, chance is not reported as a change', () => {
  const nothing: Incident = { measure: 'requests', dimension: 'model', value: 'none of them' }
  const reported = (['requests', 'errors', 'slow', 'cost'] as const).flatMap((measure, at) =>
    rankingOf({ ...nothing, measure }, 1_000 + at).filter(({ explained }) => explained !== null),
  )
  expect(reported).toEqual([])
})

const compared = (now: number, earlier: number): Compared => ({
  now: { requests: now, amount: now },
  before: { requests: earlier, amount: earlier },
  squares: now + earlier,
})
const model = (value: string, now: number, earlier: number): Candidate => ({
  dimension: 'model',
  tag: null,
  value,
  ...compared(now, earlier),
})

test('both shares, what was expected, and the part of the change that a value accounts for', () => {
  const candidates = [model('o3', 600, 2_400), model('gpt-4o', 500, 400)]
  const { expected, changes } = rankChanges(candidates, compared(1_100, 2_800), { measure: 'requests', scale: 1 / 4 })
  expect(expected).toBe(700)
  expect(changes).toEqual([
    expect.objectContaining({
      value: 'gpt-4o',
      expected: 100,
      shareBefore: expect.closeTo(100 / 7),
      shareNow: expect.closeTo(500 / 11),
      explained: 100,
    }),
  ])
})

test('a value that took the place of another one is reported, as is the other one, without a part of no change', () => {
  const candidates = [model('o3', 0, 500), model('o4', 500, 0)]
  const { changes } = rankChanges(candidates, compared(1_000, 1_000), { measure: 'requests', scale: 1 })
  expect(changes.map(({ value, explained }) => [value, explained])).toEqual([
    ['o3', null],
    ['o4', null],
  ])
})

test('as many more errors as requests are no change of a rate', () => {
  const twice: Compared = {
    now: { requests: 2_000, amount: 100 },
    before: { requests: 1_000, amount: 50 },
    squares: 150,
  }
  const candidate: Candidate = { ...twice, dimension: 'token', tag: null, value: 'a token' }
  expect(rankChanges([candidate], twice, { measure: 'errors', scale: 1 })).toEqual({ expected: 100, changes: [] })
})

/** Requests of which there were none before. */
const newOnes = (requests: number, amount: number): Compared => ({
  now: { requests, amount },
  before: { requests: 0, amount: 0 },
  squares: amount,
})

test('a cause, even one that is new, ranks before a symptom that explains more', () => {
  const all: Compared = { now: { requests: 1_000, amount: 100 }, before: { requests: 1_000, amount: 0 }, squares: 100 }
  const candidates: Candidate[] = [
    { dimension: 'status', tag: null, value: '500', ...newOnes(100, 100) },
    { dimension: 'model', tag: null, value: 'o3', ...newOnes(300, 90) },
  ]
  const { changes } = rankChanges(candidates, all, { measure: 'errors', scale: 1 })
  expect(changes.map(({ dimension }) => dimension)).toEqual(['model', 'status'])
})

test('without requests before or now, nothing is compared', () => {
  const nothing = compared(0, 0)
  expect(rankChanges([], nothing, { measure: 'cost', scale: 1 })).toEqual({ expected: 0, changes: [] })
})
