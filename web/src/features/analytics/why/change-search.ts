import type { Change, Changes } from '#schemas/analytics-changes.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'

/** The filters of the Request Logs screen that find the requests of a change; `null`: no filter does. */
export function changeSearch(change: Change, { from, to, measure, slowAbove }: Changes) {
  const value = valueSearch(change)
  if (!value) return null
  return {
    from,
    to,
    ...(measure === 'errors' && { status: 'failed' as const }),
    ...(measure === 'slow' && slowAbove !== null && { minTime: slowAbove + 1 }),
    ...value,
  }
}

function valueSearch({ dimension, tag, value }: Change) {
  if (dimension === 'token' || dimension === 'key') return { [dimension]: value ?? 'none' }
  if (value === null) return null
  if (dimension === 'tag') return { tag: [`${tag}:${value}`] }
  if (dimension === 'status') return { statusCode: Number(value) }
  if (dimension === 'outcome') return { outcome: RequestOutcome.parse(value) }
  return { [dimension]: value }
}
