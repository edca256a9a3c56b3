import type { Alert, AlertChange, AlertCondition } from '#schemas/alerts.ts'

/** How many groups an alert evaluates separately, besides the stored ones: those with the most requests. */
export const groupsPerAlert = 50

/** More than are evaluated, so that a group whose requests cease is still known once it is no longer a large one. */
const groupsStored = 2 * groupsPerAlert

/** `told`, as stored: true if the last message to receivers said that the group fires. */
export type EvaluatedGroup = Alert['groups'][number] & { told: boolean }

export interface Evaluation {
  groups: EvaluatedGroup[]
  changes: Pick<AlertChange, 'group' | 'from' | 'to' | 'value'>[]
  /** The groups that receivers get a message about. */
  firing: EvaluatedGroup[]
  resolved: EvaluatedGroup[]
}

interface EvaluationOptions {
  condition: Pick<AlertCondition, 'measure' | 'comparison' | 'threshold'>
  isSilenced: boolean
  groups: readonly EvaluatedGroup[]
  /** By group, largest groups first; `null` if unknown. */
  values: ReadonlyMap<string, number | null>
  /** End of the window, ISO 8601. */
  at: string
}

/** @returns undefined if the value is unknown */
export function isBreached(
  { comparison, threshold }: Pick<AlertCondition, 'comparison' | 'threshold'>,
  value: number | null,
): boolean | undefined {
  if (value === null) return undefined
  return comparison === 'over' ? value > threshold : value < threshold
}

/**
 * The next state of each group, and the messages to receivers: one when a group starts firing, and one when it stops.
 * Without data, or while the alert is silenced, there are no messages; those that are still due follow later.
 */
export function evaluateAlert(options: EvaluationOptions): Evaluation {
  const { groups, values } = options
  const known = new Map(groups.map((group) => [group.group, group]))
  // In this order, the groups that were large most recently are kept longest.
  const largest = [...values.keys()].slice(0, groupsPerAlert)
  const names = new Set([...largest, ...known.keys(), ...values.keys()])
  const evaluated = [...names].map((name) => evaluateGroup(name, known.get(name), options))

  /** Groups with a lower rank stay longer; those that fire without requests may be gone for good. */
  function rank(group: EvaluatedGroup): number {
    const before = known.get(group.group)
    if (!isReported(group)) return 3
    if (!before || !isReported(before)) return 1
    return values.has(group.group) ? 0 : 2
  }

  const stored = evaluated
    .filter((group) => values.has(group.group) || isReported(group))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, groupsStored)
  const evaluation: Evaluation = { groups: stored, changes: [], firing: [], resolved: [] }
  for (const group of evaluated) {
    const before = known.get(group.group)
    // A new group that is not stored would send its message in every round.
    if (!before && !stored.includes(group)) continue
    const { state, value, told } = group
    const from = before?.state ?? 'ok'
    // A group that is ok is forgotten when its requests cease, and a new group starts as ok: neither is a change.
    const isForgotten = from === 'ok' && !values.has(group.group) && !isReported(group)
    if (from !== state && !isForgotten && (before || state === 'firing'))
      evaluation.changes.push({ group: group.group, from, to: state, value })
    if (told !== (before?.told ?? false)) evaluation[told ? 'firing' : 'resolved'].push(group)
  }
  return evaluation
}

function evaluateGroup(
  group: string,
  before: EvaluatedGroup | undefined,
  { condition, isSilenced, values, at }: EvaluationOptions,
): EvaluatedGroup {
  // Without requests, counts and costs are zero, and other measures are unknown.
  const missing = condition.measure === 'requests' || condition.measure === 'cost' ? 0 : null
  const value = values.get(group) ?? (values.has(group) ? null : missing)
  const breached = isBreached(condition, value)
  const state = breached === undefined ? 'no-data' : breached ? 'firing' : 'ok'
  const isNotified = !isSilenced && state !== 'no-data'
  const told = isNotified ? state === 'firing' : (before?.told ?? false)
  const since = before?.state === state ? before.since : at
  return { group, state, value, since, told }
}

/** Whether the group fires, or receivers still believe that it does. */
const isReported = ({ state, told }: EvaluatedGroup) => told || state === 'firing'
