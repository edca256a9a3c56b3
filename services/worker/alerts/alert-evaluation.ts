import pLimit from 'p-limit'
import { Counter, type Registry } from 'prom-client'
import type { Logger } from '#core/logger.ts'
import { minute, second } from '#core/units.ts'
import { evaluateAlert } from '#shared/alerts/evaluate-alert.ts'
import type { AlertMeasureStore } from '#store/clickhouse/analytics/alert-measures.ts'
import { aheadMs, type DueAlert, type EvaluationStore } from '#store/postgres/alerts/evaluations.ts'
import type { TokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import type { TokenSpendingStore } from '#store/redis/token-spending.ts'
import type { ScheduledJob } from '../jobs/schedule.ts'
import { budgetValues } from './budget-values.ts'

/** How many accounts are evaluated in parallel, and how long one may take before its other alerts wait a round. */
const accountsAtOnce = 4
const accountMs = 10 * second

/** A request counts in the minute in which it began. After this delay, most requests of that minute have ended. */
const delayMs = minute

interface AlertEvaluationOptions {
  evaluations: EvaluationStore
  measures: Pick<AlertMeasureStore, 'window'>
  budgets: Pick<TokenBudgetStore, 'list'>
  spending: TokenSpendingStore
  /** The ingest watermark, ISO: every request that ended before it is stored. */
  ingestWatermark: () => Promise<string>
  metrics: Registry
  logger: Logger
  now?: () => number
}

/** Evaluates every alert once a minute. Source: product.md 13.2. */
export function alertEvaluationJob(options: AlertEvaluationOptions): ScheduledJob {
  const { evaluations, measures, ingestWatermark, metrics, logger, now = Date.now } = options
  const evaluated = new Counter({
    name: 'sallyport_alerts_judged_total',
    help: 'Evaluations of alerts by outcome.',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  /** Accounts that took too long in the last round come last in the next. */
  const slow = new Set<string>()

  function measure({ accountId, condition, groups }: DueAlert, to: number) {
    if (condition.measure === 'budget') return budgetValues(options, accountId, condition.filters)
    const known = groups.map(({ group }) => group)
    return measures.window(accountId, condition, { from: to - condition.windowMinutes * minute, to }, known)
  }

  async function evaluate(alert: DueAlert, untilMs: number): Promise<void> {
    const until = new Date(untilMs)
    try {
      const { condition, silencedUntil, groups } = alert
      const values = await measure(alert, untilMs)
      const isSilenced = silencedUntil !== null && silencedUntil.getTime() > now()
      const evaluation = evaluateAlert({ condition, isSilenced, groups, values, at: until.toISOString() })
      const isStored = await evaluations.save(alert, evaluation, until)
      evaluated.inc({ outcome: isStored ? 'judged' : 'outdated' })
    } catch (error) {
      evaluated.inc({ outcome: 'failed' })
      logger.warn({ err: error, alert: alert.id }, 'an alert could not be evaluated; the next round tries again')
    }
  }

  async function evaluateAccount(accountId: string, nowMs: number, storedMs: number): Promise<void> {
    const deadline = now() + accountMs
    slow.delete(accountId)
    for (const alert of await evaluations.due(accountId, new Date(nowMs))) {
      if (now() > deadline) {
        slow.add(accountId)
        return
      }
      const until = alert.condition.measure === 'budget' ? nowMs : storedMs
      const judgedMs = alert.judgedUntil?.getTime() ?? 0
      if (judgedMs < until || judgedMs > nowMs + aheadMs) await evaluate(alert, until)
    }
  }

  return {
    name: 'alert-evaluation',
    everyMs: minute,
    async run() {
      const nowMs = wholeMinutes(now())
      const storedMs = wholeMinutes(Date.parse(await ingestWatermark()) - delayMs)
      const due = await evaluations.dueAccounts(new Date(nowMs))
      const accounts = due.toSorted((a, b) => Number(slow.has(a)) - Number(slow.has(b)))
      const limit = pLimit(accountsAtOnce)
      await Promise.all(accounts.map((accountId) => limit(() => evaluateAccount(accountId, nowMs, storedMs))))
    },
  }
}

const wholeMinutes = (at: number) => Math.floor(at / minute) * minute
