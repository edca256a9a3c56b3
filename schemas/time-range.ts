import { z } from 'zod'
import { day, hour } from './units.ts'

const TimeRange = z.enum(['15m', '1h', '6h', '24h', '1', '1d', '7', '7d', '30', '30d', '90', '90d'])
type TimeRange = z.infer<typeof TimeRange>

/** Source: product.md 11.1. */
const rangeMs: Record<TimeRange, number> = {
  '15m': hour / 4,
  '1h': hour,
  '6h': 6 * hour,
  '24h': day,
  '1': day,
  '1d': day,
  '7': 7 * day,
  '7d': 7 * day,
  '30': 30 * day,
  '30d': 30 * day,
  '90': 90 * day,
  '90d': 90 * day,
}

/** Times that all stores can represent, ms since 1970. */
const [earliest, latest] = [0, Date.parse('2200-01-01T00:00:00Z')]

export const Moment = z.iso
  .datetime({ offset: true, error: 'Expected a time such as 2026-11-20T12:00:00Z', abort: true })
  .refine((text) => Date.parse(text) >= earliest && Date.parse(text) < latest, 'Expected a time from 1970 to 2199')

export const rangeFields = {
  timeRange: TimeRange.optional().describe(
    'A range that ends now, in place of `from` and `to`; a number without a unit: days.',
  ),
  from: Moment.optional(),
  to: Moment.optional().describe('Exclusive.'),
}

type Range = z.infer<z.ZodObject<typeof rangeFields>>

export function checkRange({ timeRange, from, to }: Range, context: z.RefinementCtx): void {
  const reject = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (timeRange && (from ?? to)) reject('timeRange', 'Send either timeRange, or from and to')
  if (from && to && Date.parse(from) >= Date.parse(to)) reject('to', 'The range ends before it begins')
}

/** Both ends in ms since 1970; a missing end is open. */
export function resolveRange({ timeRange, from, to }: Range, now: number): { from?: number; to?: number } {
  if (timeRange) return { from: now - rangeMs[timeRange] }
  return { ...(from && { from: Date.parse(from) }), ...(to && { to: Date.parse(to) }) }
}

/** Like `resolveRange`, but without a beginning it covers 7 days. Source: product.md 11.1. */
export function resolveClosedRange(range: Range, now: number): { from: number; to: number } {
  const { to = now, from = to - 7 * day } = resolveRange(range, now)
  return { from, to }
}
