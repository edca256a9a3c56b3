import { dayEndsAtMs, dayOf, isoTime, monthEndsAtMs, monthOf } from '#core/period.ts'
import { minute } from '#core/units.ts'
import { budgetParts } from '#schemas/secure-tokens.ts'
import type { OutboxStore } from '#store/postgres/mails/outbox.ts'
import type { TokenBudgets, TokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import type { TokenSpending, TokenSpendingStore } from '#store/redis/token-spending.ts'
import type { ScheduledJob } from './schedule.ts'

interface BudgetWarningOptions {
  budgets: TokenBudgetStore
  spending: TokenSpendingStore
  outbox: OutboxStore
  now?: () => number
}

/**
 * Notifies owners once a day or month when 80 % of a token's budget is spent, and when all is. Source: product.md 4.10.
 */
export function budgetWarningJob({ budgets, spending, outbox, now = Date.now }: BudgetWarningOptions): ScheduledJob {
  async function warn(token: TokenBudgets, spent: TokenSpending, at: number): Promise<void> {
    for (const { period, budgetNanoUsd, spentNanoUsd, key, renewsAtMs } of periodsOf(token, spent, at)) {
      const percent = percentSpent(spentNanoUsd, budgetNanoUsd)
      if (!percent) continue
      const { accountId, tokenId, recipient, name, timezone } = token
      const content = { kind: 'token-budget' as const, name, timezone, token: token.token, period, percent }
      await outbox.add(accountId, {
        dedupeKey: `${tokenId} ${key} ${percent}`,
        recipient,
        content: { ...content, budgetNanoUsd, spentNanoUsd, renewsAt: isoTime(renewsAtMs) },
      })
    }
  }

  return {
    name: 'budget-warnings',
    everyMs: minute,
    async run() {
      for await (const batch of budgets.batches()) {
        for (const [accountId, tokens] of Map.groupBy(batch, (token) => token.accountId)) {
          const tokenIds = tokens.map(({ tokenId }) => tokenId)
          // One time for both, so that a day is not charged with the spending of the day before.
          const at = now()
          const spentBy = await spending.read(accountId, tokenIds, at)
          for (const token of tokens) {
            const spent = spentBy.get(token.tokenId)
            if (spent) await warn(token, spent, at)
          }
        }
      }
    },
  }
}

/** The periods for which a token has a budget. */
function periodsOf(
  { dailyBudgetNanoUsd, monthlyBudgetNanoUsd }: TokenBudgets,
  { day, month }: TokenSpending,
  at: number,
) {
  return [
    {
      period: 'day' as const,
      budgetNanoUsd: dailyBudgetNanoUsd ?? 0,
      spentNanoUsd: day.spentNanoUsd,
      key: dayOf(at),
      renewsAtMs: dayEndsAtMs(at),
    },
    {
      period: 'month' as const,
      budgetNanoUsd: monthlyBudgetNanoUsd ?? 0,
      spentNanoUsd: month.spentNanoUsd,
      key: monthOf(at),
      renewsAtMs: monthEndsAtMs(at),
    },
  ].filter(({ budgetNanoUsd }) => budgetNanoUsd > 0)
}

/** A budget counts as used up once the gateway rejects requests that may cost more than what is left. */
function percentSpent(spentNanoUsd: number, budgetNanoUsd: number): 80 | 100 | undefined {
  if ((budgetNanoUsd - spentNanoUsd) * budgetParts <= budgetNanoUsd) return 100
  return spentNanoUsd >= 0.8 * budgetNanoUsd ? 80 : undefined
}
