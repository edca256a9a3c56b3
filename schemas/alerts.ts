import { z } from 'zod'
import { numberMessage, wholeNumber } from './numbers.ts'
import { requiredName } from './plain-text.ts'
import { RequestLogFilters } from './request-logs.ts'
import { Moment } from './time-range.ts'
import { day } from './units.ts'

const { status, method, ...lists } = RequestLogFilters.shape
const id = z.uuid()
const responseTime = z.number().int().min(0).max(day).optional().describe('ms')

/** The filters of the request logs, as lists instead of comma-separated texts, and without search and range. */
export const AlertFilters = z.strictObject({
  status,
  method,
  model: lists.model.unwrap().out.optional(),
  endpoint: lists.endpoint.unwrap().out.optional(),
  token: lists.token.unwrap().out.optional(),
  key: lists.key.unwrap().out.optional(),
  statusCode: z.array(z.number().int().min(0).max(999)).min(1).max(20).optional(),
  minResponseTime: responseTime,
  maxResponseTime: responseTime,
  outcome: lists.outcome.unwrap().out.optional(),
  errorCode: lists.errorCode.unwrap().out.optional(),
  cache: lists.cache.unwrap().out.optional(),
  retried: lists.retried,
  failedOver: lists.failedOver,
  cost: lists.cost,
  tag: lists.tag.unwrap().options[1].optional(),
  not: lists.not.unwrap().out.optional(),
})
export type AlertFilters = z.infer<typeof AlertFilters>

export const AlertMeasure = z
  .enum(['errorRate', 'p95', 'cost', 'requests', 'budget'])
  .describe("Units: percent, ms, USD, requests, and percent of a token's budget.")
export type AlertMeasure = z.infer<typeof AlertMeasure>

const AlertGroup = z.union(
  [z.enum(['model', 'endpoint', 'token', 'key']), z.string().regex(/^tag:[\w.-]{1,64}$/)],
  'Expected model, endpoint, token, key or a tag such as tag:customer',
)
export type AlertGroup = z.infer<typeof AlertGroup>

const thresholdMessage = 'Threshold must be between 0 and 1000000000000'
const windowMessage = 'Minutes must be a whole number from 1 to 1440'

const condition = {
  measure: AlertMeasure,
  comparison: z.enum(['over', 'under']),
  threshold: z
    .number(numberMessage('Threshold'))
    .min(0, thresholdMessage)
    .max(1e12, thresholdMessage)
    .describe('In the unit of the measure.'),
  windowMinutes: wholeNumber(1, 1_440, windowMessage).describe(
    'Length of the measured window, which ends at the last complete minute. A budget has no window.',
  ),
  filters: AlertFilters.describe('As for the request logs, but lists are arrays.'),
  group: AlertGroup.nullable().describe(
    'Evaluates each value separately; `null`: all requests together. A budget always belongs to one token.',
  ),
}

export const AlertCondition = z.object(condition)
export type AlertCondition = z.infer<typeof AlertCondition>

/** The parts of a new alert that a link to its screen can set. */
export const AlertDraft = AlertCondition.pick({ measure: true, filters: true, group: true })
  .extend({ search: z.string().describe('What the numbers are also filtered by, but an alert can not be.') })
  .partial()
export type AlertDraft = z.infer<typeof AlertDraft>

const settings = {
  name: requiredName('Name', 100, 'Please enter a name'),
  ...condition,
  enabled: z.boolean().describe('`false`: it is not evaluated and keeps its state.'),
  mail: z.boolean().describe("Whether messages are sent to the account's address."),
  webhookIds: z.array(id).max(10).describe('Webhooks that receive the messages.'),
}

export const SaveAlert = z.object(settings)
export type SaveAlert = z.infer<typeof SaveAlert>

export const ChangeAlert = z
  .object({
    ...settings,
    silencedUntil: Moment.nullable().describe('Until then nothing is sent; `null`: not silenced.'),
  })
  .partial()
export type ChangeAlert = z.infer<typeof ChangeAlert>

export const AlertState = z.enum(['ok', 'firing', 'no-data'])
export type AlertState = z.infer<typeof AlertState>

const groupName = z.string().describe('Empty without grouping, and for requests without a value.')
const measured = z.number().nullable().describe('In the unit of the measure; `null`: unknown.')

const GroupState = z.object({
  group: groupName,
  state: AlertState,
  value: measured,
  since: z.iso.datetime().describe('Beginning of this state.'),
})

export const Alert = z.object({
  id,
  ...settings,
  silencedUntil: z.iso.datetime().nullable().describe('Until then nothing is sent; `null`: not silenced.'),
  state: AlertState.nullable().describe('The worst state of its groups; `null`: not evaluated yet.'),
  groups: z.array(GroupState),
  judgedUntil: z.iso.datetime().nullable().describe('End of the last evaluated window.'),
  lastChangeAt: z.iso.datetime().nullable().describe('Last change of state; `null`: none yet.'),
})
export type Alert = z.infer<typeof Alert>

export const AlertList = z.object({
  alerts: z.array(Alert),
  sendsMail: z.boolean().describe('Whether a mail server is configured.'),
})

/** A change of state, newest first in lists. */
export const AlertChange = z.object({
  id,
  group: groupName,
  from: AlertState,
  to: AlertState,
  value: measured,
  ...AlertCondition.pick({ measure: true }).shape,
  groupedBy: condition.group.describe('Like the `group` of the alert, at that time.'),
  at: z.iso.datetime(),
})
export type AlertChange = z.infer<typeof AlertChange>

/** When an alert would have fired in the last 30 days. */
export const AlertPreview = z.object({
  windowMinutes: z
    .number()
    .int()
    .describe("Length of the evaluated windows, minutes: the alert's, rounded up to quarter hours."),
  isKnown: z.boolean().describe('`false`: no history of this measure is kept.'),
  series: z
    .array(z.object({ at: z.iso.datetime(), value: measured }))
    .describe(
      "The highest value of an hour's windows in any group (the lowest for `under`); `null` for hours without a value.",
    ),
  firings: z
    .array(z.object({ group: groupName, from: z.iso.datetime(), to: z.iso.datetime().nullable() }))
    .describe('When it would have fired, oldest first; `to` is `null` if it would still be firing.'),
  isCut: z.boolean().describe('Whether there are more groups or firings than listed.'),
})
export type AlertPreview = z.infer<typeof AlertPreview>
