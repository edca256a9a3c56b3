import type { AlertCondition, AlertFilters, AlertGroup, AlertMeasure } from './alerts.ts'

export const measureLabels: Record<AlertMeasure, string> = {
  errorRate: 'Error rate',
  p95: 'Response time (p95)',
  cost: 'Cost',
  requests: 'Requests',
  budget: 'Budget spent',
}

/** The unit after a threshold. */
export const measureUnits: Record<AlertMeasure, string> = {
  errorRate: '%',
  p95: 'ms',
  cost: 'USD',
  requests: '',
  budget: '%',
}

/** An unknown value is shown as `–`. */
export function formatMeasure(measure: AlertMeasure, value: number | null): string {
  if (value === null) return '–'
  return withUnit(measure, value, measure === 'cost' ? 6 : measure === 'errorRate' || measure === 'budget' ? 1 : 0)
}

/** @param digits after the point, or more where a small value would be shown as 0 */
function withUnit(measure: AlertMeasure, value: number, digits: number): string {
  const text = value.toLocaleString('en-US', {
    maximumFractionDigits: digits,
    maximumSignificantDigits: 2,
    roundingPriority: 'morePrecision',
  })
  return `${text} ${measureUnits[measure]}`.trim()
}

/** A threshold is not rounded. */
const thresholdDigits = 20

/** For example `Error rate over 5 % in 10 minutes, by model`. */
export function describeCondition({ measure, comparison, threshold, windowMinutes, group }: AlertCondition): string {
  const limit = `${measureLabels[measure]} ${comparison} ${withUnit(measure, threshold, thresholdDigits)}`
  if (measure === 'budget') return limit
  const window = windowMinutes === 1 ? 'a minute' : `${windowMinutes} minutes`
  return `${limit} in ${window}${group === null ? '' : `, by ${groupLabel(group)}`}`
}

const groupLabel = (group: AlertGroup) => (group.startsWith('tag:') ? group.slice('tag:'.length) : group)

/**
 * Filters in words, such as `model not gpt-4o`.
 * @param nameOf the name of a token or key; by default, its id
 */
export function describeFilters(
  { not = [], tag = [], ...filters }: Partial<AlertFilters>,
  nameOf: (id: string) => string = String,
): string[] {
  const used = Object.entries(filters).filter(([, value]) => value !== undefined && value !== 'all')
  const tags = Map.groupBy(tag, (text) => `tag:${text.slice(0, text.indexOf(':'))}`)
  const described = new Set([...used.map(([name]) => name), ...tags.keys()])
  const notOf = (name: string) => (not.some((each) => each === name) ? 'not ' : '')
  return [
    ...not.filter((name) => !described.has(name)).map((name) => `not ${name}`),
    ...used.map(([name, value]) => `${name} ${notOf(name)}${textsOf(name, value, nameOf).join(', ')}`),
    ...Array.from(tags, ([name, texts]) => notOf(name) + texts.join(', ')),
  ]
}

const textsOf = (name: string, value: unknown, nameOf: (id: string) => string): string[] =>
  [...new Set([value].flat().map(String))].map((text) =>
    (name === 'token' || name === 'key') && text !== 'none' ? nameOf(text) : text || 'none',
  )
