import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { AlertFilters, AlertMeasure, type ChangeAlert, SaveAlert } from '#schemas/alerts.ts'
import { readTypedList, toTypedList } from '#web/lib/text/typed-list.ts'

/** An alert as edited in the dialog. Lists are separated by commas; an empty text means no filter. */
const Texts = z.object({
  name: z.string(),
  measure: AlertMeasure,
  comparison: SaveAlert.shape.comparison,
  threshold: z.string(),
  windowMinutes: z.string(),
  status: z.string(),
  model: z.string(),
  endpoint: z.string(),
  token: z.string(),
  tag: z.string(),
  /** Filters without a field, such as those from a link. */
  others: AlertFilters.partial(),
  /** `tag`: by the tag that `groupTag` names. */
  group: z.enum(['none', 'model', 'endpoint', 'token', 'key', 'tag']),
  groupTag: z.string(),
  enabled: z.boolean(),
  mail: z.boolean(),
  webhookIds: z.array(z.string()),
})
export type AlertTexts = z.infer<typeof Texts>

/** Parses the texts with the API's schema; each issue is shown at its field. */
export const AlertForm = Texts.transform((texts, context): SaveAlert => {
  const { success, data, error } = SaveAlert.safeParse(read(texts))
  if (success) return data
  for (const { path, message } of error.issues) {
    const [first, second] = path
    const field = first === 'filters' ? second : first === 'group' ? 'groupTag' : first
    context.addIssue({ code: 'custom', path: [String(field)], message })
  }
  return z.NEVER
})
export type AlertUseForm = UseFormReturn<AlertTexts, unknown, SaveAlert>

const numberOf = (text: string) => (text.trim() === '' ? undefined : Number(text))

/** @returns undefined without values */
function listOf(text: string): string[] | undefined {
  const values = readTypedList(text)
  return values.length > 0 ? values : undefined
}

/** Reads an alert from the texts; it may be invalid. */
export function read({ status, model, endpoint, token, tag, others, group, groupTag, ...texts }: AlertTexts) {
  const filters = {
    ...others,
    status,
    model: listOf(model) ?? others.model,
    endpoint: listOf(endpoint) ?? others.endpoint,
    token: token === '' ? undefined : token.split(','),
    tag: listOf(tag) ?? others.tag,
  }
  // A budget is that of a token, whatever its requests are.
  const ofBudget = {
    status: 'all',
    method: 'all',
    token: filters.token,
    ...(others.not?.includes('token') && { not: ['token'] }),
  }
  const used = texts.measure === 'budget' ? ofBudget : filters
  return {
    ...texts,
    threshold: numberOf(texts.threshold),
    windowMinutes: numberOf(texts.windowMinutes),
    filters: Object.fromEntries(Object.entries(used).filter(([, value]) => value !== undefined)),
    group: group === 'none' ? null : group === 'tag' ? `tag:${groupTag.trim()}` : group,
  }
}

/** No values, such as requests without a model, and spaces at the ends of a value can't be typed. */
const isTypable = (values: readonly string[] = []) => values.every((value) => value !== '' && value === value.trim())
const typed = (values: readonly string[] = []) => (isTypable(values) ? toTypedList(values) : '')

export function textsOf({ filters, group, threshold, windowMinutes, ...alert }: SaveAlert): AlertTexts {
  const { status, model, endpoint, token = [], tag, ...rest } = filters
  const lists = Object.entries({ model, endpoint, tag }).filter(([, values]) => !isTypable(values))
  const others: AlertTexts['others'] = { ...rest, ...Object.fromEntries(lists) }
  const isTag = group?.startsWith('tag:') ?? false
  return {
    ...alert,
    threshold: String(threshold),
    windowMinutes: String(windowMinutes),
    status,
    model: typed(model),
    endpoint: typed(endpoint),
    token: token.join(','),
    tag: typed(tag),
    others,
    group: group === null ? 'none' : isTag ? 'tag' : Texts.shape.group.parse(group),
    groupTag: isTag && group ? group.slice('tag:'.length) : '',
  }
}

const separate = ['name', 'enabled', 'mail', 'webhookIds']

/**
 * The edited settings; others may have changed elsewhere meanwhile. The condition is sent as a whole, because a threshold
 * means nothing without its measure.
 */
export function editedSettings(alert: SaveAlert, edited: object): ChangeAlert {
  const isConditionEdited = Object.keys(edited).some((field) => !separate.includes(field))
  return Object.fromEntries(
    Object.entries(alert).filter(([name]) => (separate.includes(name) ? name in edited : isConditionEdited)),
  )
}
