import type { LogValueField } from '#schemas/log-values.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import type { ValueField } from '../filter-values.ts'
import { outcomeLabels } from '../outcome-labels.ts'

/** Fields that rollups count, and those that only rows have. */
export const rollupFields = ['statusCode', 'model', 'endpoint', 'token', 'key'] as const satisfies LogValueField[]
export const rowFields = ['outcome', 'errorCode', 'cache', 'tag'] as const satisfies LogValueField[]

const labels: Partial<Record<ValueField, string>> = {
  statusCode: 'Status',
  outcome: 'Outcome',
  errorCode: 'Error code',
  model: 'Model',
  endpoint: 'Endpoint',
  token: 'Token',
  key: 'API key',
  cache: 'Cache',
}

export const fieldLabel = (field: ValueField) => labels[field] ?? `Tag ${field.slice('tag:'.length)}`

const cacheLabels: Record<string, string> = { hit: 'Hit', miss: 'Miss', none: 'Not asked' }

/** Human-readable names of a field's values. */
export function useValueNames(field: ValueField, values: readonly (string | null)[]) {
  const { keys, tokens } = useCredentialNames(field === 'token' ? values : [])
  return (value: string): string => {
    if (field === 'cache') return cacheLabels[value] ?? value
    if (value === '' || ((field === 'token' || field === 'key') && value === 'none')) return 'None'
    if (field === 'token') return visibleLine(credentialName(tokens, value))
    if (field === 'key') return visibleLine(credentialName(keys, value))
    if (field === 'statusCode') return value === '0' ? 'No response' : value
    const outcome = field === 'outcome' && RequestOutcome.safeParse(value).data
    return outcome ? outcomeLabels[outcome] : visibleLine(value)
  }
}
