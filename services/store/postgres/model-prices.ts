import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/stores/postgres.ts'
import type { OwnModelPrice } from '#schemas/own-model-prices.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { accountList } from './account-list.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { changeAccount } from './change-account.ts'
import { rejectTaken } from './constraints.ts'

/** Bounded, because the proxy loads all prices of an account with each credential. */
const pricesPerAccount = 200

const prices = accountList({
  table: 'model_prices',
  entry: 'model-price',
  nameColumn: 'pattern',
  limitOf: () => pricesPerAccount,
  limitProblem: 'price-limit-reached',
})

const taken = {
  model_prices_account_pattern: {
    code: 'price-exists',
    field: 'pattern',
    message: 'This model or pattern already has a price',
  },
} as const

export interface ModelPriceRow extends OwnModelPrice {
  id: string
  validFrom: Date
}

export type ModelPriceStore = ReturnType<typeof createModelPriceStore>

export const createModelPriceStore = (sql: Sql, invalidate: Invalidate) => ({
  list: (accountId: string): Promise<ModelPriceRow[]> => sql<ModelPriceRow[]>`
    select ${columns(sql)} from model_prices where account_id = ${accountId} order by pattern, id`,

  /** @throws Problem `price-limit-reached` | `price-exists` */
  create: (accountId: string, price: OwnModelPrice, by: AuditSource): Promise<ModelPriceRow> =>
    rejectTaken(taken, () =>
      changeAccount(sql, invalidate, accountId, (tx) =>
        prices.add(
          tx,
          accountId,
          price.pattern,
          by,
          () => tx<[ModelPriceRow]>`
            insert into model_prices (id, account_id, pattern, input, cached_input, output, per_request, cache_write,
              audio_input, long_above_tokens, long_input, long_output)
            values (${uuidv7()}, ${accountId}, ${price.pattern}, ${price.input}, ${price.cachedInput}, ${price.output},
              ${price.perRequest}, ${price.cacheWrite}, ${price.audioInput}, ${price.longPrompts?.aboveTokens ?? null},
              ${price.longPrompts?.input ?? null}, ${price.longPrompts?.output ?? null})
            returning ${columns(sql)}`,
        ),
      ),
    ),

  /** @throws Problem `price-exists` */
  change: (accountId: string, id: string, price: OwnModelPrice, by: AuditSource): Promise<ModelPriceRow | undefined> =>
    rejectTaken(taken, () =>
      changeAccount(sql, invalidate, accountId, async (tx) => {
        const [row] = await tx<ModelPriceRow[]>`
          update model_prices set pattern = ${price.pattern}, input = ${price.input},
            cached_input = ${price.cachedInput}, output = ${price.output}, per_request = ${price.perRequest},
            cache_write = ${price.cacheWrite}, audio_input = ${price.audioInput},
            long_above_tokens = ${price.longPrompts?.aboveTokens ?? null},
            long_input = ${price.longPrompts?.input ?? null}, long_output = ${price.longPrompts?.output ?? null},
            valid_from = now()
          where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
        if (row) await recordAudit(tx, accountId, 'model-price-changed', price.pattern, by)
        return row
      }),
    ),

  remove: (accountId: string, id: string, by: AuditSource): Promise<boolean> =>
    changeAccount(sql, invalidate, accountId, (tx) => prices.remove(tx, accountId, id, by)),
})

export const longPromptsColumn = (sql: Sql) => sql`
  case when long_above_tokens is not null
    then json_build_object('aboveTokens', long_above_tokens, 'input', long_input, 'output', long_output) end`

const columns = (sql: Sql) => sql`
  id, pattern, input::float8, cached_input::float8 as "cachedInput", output::float8,
  per_request::float8 as "perRequest", cache_write::float8 as "cacheWrite", audio_input::float8 as "audioInput",
  ${longPromptsColumn(sql)} as "longPrompts", valid_from as "validFrom"`
