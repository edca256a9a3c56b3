import type { AlertCondition, AlertState } from '#schemas/alerts.ts'

/** How many groups an alert evaluates separately. */
export const groupsPerAlert = 50

/** `told`, as stored: true if the last message to receivers said that the group fires. */
export interface EvaluatedGroup {
  group: string
  state: AlertState
  value: number | null
  /** ISO 8601. */
  since: string
  told: boolean
}

export interface StateChange {
  group: string
  from: AlertState
  to: AlertState
  value: number | null
}

export interface Evaluation {
  groups: EvaluatedGroup[]
  changes: StateChange[]
  /** The groups that receivers get a message about. */
  firing: EvaluatedGroup[]
  resolved: EvaluatedGroup[]
}

interface EvaluationOptions {
  condition: Pick<AlertCondition, 'measure' | 'comparison' | 'threshold'>
  isSilenced: boolean
  groups: readonly EvaluatedGroup[]
  /** By group; `null` if unknown. */
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
export function evaluateAlert({ condition, isSilenced, groups, values, at }: EvaluationOptions): Evaluation {
  const known = new Map(groups.map((group) => [group.group, group]))
  // Without requests, counts and costs are zero, and other measures are unknown.
  const missing = condition.measure === 'requests' || condition.measure === 'cost' ? 0 : null
  const evaluation: Evaluation = { groups: [], changes: [], firing: [], resolved: [] }

  for (const name of new Set([...known.keys(), ...values.keys()])) {
    const before = known.get(name)
    const value = values.get(name) ?? (values.has(name) ? null : missing)
    const breached = isBreached(condition, value)
    const state = breached === undefined ? 'no-data' : breached ? 'firing' : 'ok'
    const from = before?.state ?? 'ok'
    const isNotified = !isSilenced && state !== 'no-data'
    const told = isNotified ? state === 'firing' : (before?.told ?? false)
    const since = before?.state === state ? before.since : at
    const evaluated = { group: name, state, value, since, told } satisfies EvaluatedGroup

    if (from !== state && (before || state === 'firing'))
      evaluation.changes.push({ group: name, from, to: state, value })
    if (told !== (before?.told ?? false)) evaluation[told ? 'firing' : 'resolved'].push(evaluated)
    // A group without a value is dropped, unless it fires or receivers still believe that it does.
    if (values.has(name) || state === 'firing' || told) evaluation.groups.push(evaluated)
  }
  // The limit also covers groups without a value; those that fire are kept longest.
  evaluation.groups.sort((a, b) => rank(a) - rank(b))
  evaluation.groups.length = Math.min(evaluation.groups.length, groupsPerAlert)
  return evaluation
}

const rank = ({ state, told }: EvaluatedGroup) => (told || state === 'firing' ? 0 : 1)
