import type { FilterParameter } from '#schemas/log-names.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { type CredentialName, credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatMs, formatTime } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { rangeLabels } from '#web/lib/time-ranges.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { chosenValues, isExcluded, type ListFilter, tagField } from './filter-values.ts'
import { type LogFilters, statusLabels } from './log-search.ts'
import { outcomeLabels } from './outcome-labels.ts'

/** The active ones of these filters, as texts such as `Model gpt-4o`. */
export function useFilterTexts(search: LogFilters, names: readonly FilterParameter[]) {
  const texts = describe(search, useCredentialNames(chosenValues(search, 'token')), useTimeZone())
  return names.flatMap((name) => (texts[name] ? [{ name, text: texts[name] }] : []))
}

function describe(
  search: LogFilters,
  { keys, tokens }: ReturnType<typeof useCredentialNames>,
  zone: string,
): Record<FilterParameter, string | undefined | false> {
  const named = (field: ListFilter, label: string, textOf: (value: string) => string) => {
    const values = chosenValues(search, field).map((value) => (value === '' ? 'none' : textOf(value)))
    const words = [label, isExcluded(search, field) && 'not', values.join(', ')]
    return values.length > 0 && words.filter(Boolean).join(' ')
  }
  return {
    search: search.search && `Search ${visibleLine(search.search)}`,
    status: search.status && search.status !== 'all' && statusLabels[search.status],
    method: search.method && search.method !== 'all' && search.method,
    mode: search.mode && modeLabels[search.mode],
    range: search.range && rangeLabels[search.range],
    from: search.from && `From ${formatTime('minute', search.from, zone)}`,
    to: search.to && `To ${formatTime('minute', search.to, zone)}`,
    model: search.model === '' ? 'No model' : named('model', 'Model', visibleLine),
    endpoint: named('endpoint', 'Endpoint', visibleLine),
    token: named('token', 'Token', (id) => credentialText(tokens, id)),
    key: named('key', 'Key', (id) => credentialText(keys, id)),
    statusCode: named('statusCode', 'Status', visibleLine),
    minTime: search.minTime !== undefined && `At least ${formatMs(search.minTime)}`,
    maxTime: search.maxTime !== undefined && `At most ${formatMs(search.maxTime)}`,
    outcome: named('outcome', '', outcomeText),
    errorCode: named('errorCode', 'Error code', visibleLine),
    cache: named('cache', 'Cache', visibleLine),
    retried: search.retried && (search.retried === 'true' ? 'Retried' : 'Not retried'),
    failedOver: search.failedOver && (search.failedOver === 'true' ? 'Failed over' : 'Not failed over'),
    cost: search.cost && `Cost ${search.cost}`,
    tag: search.tag
      ?.map((tag) => (isExcluded(search, tagField(tag)) ? `not ${visibleLine(tag)}` : visibleLine(tag)))
      .join(', '),
    not: undefined,
  }
}

const modeLabels = { words: 'Whole words', substring: 'Exact text' }

const outcomeText = (value: string) => {
  const outcome = RequestOutcome.safeParse(value).data
  return outcome ? outcomeLabels[outcome] : value
}

const credentialText = (list: readonly CredentialName[], id: string) =>
  id === 'none' ? 'none' : visibleLine(credentialName(list, id))
