import { z } from 'zod'
import type { Redis } from '#core/redis/redis.ts'
import { day, second } from '#core/units.ts'

/** A key's limits as a response reported them: unparsed header values. */
export const ObservedLimits = z.object({
  requests: z.string().max(32).optional(),
  maxRequests: z.string().max(32).optional(),
  tokens: z.string().max(32).optional(),
  maxTokens: z.string().max(32).optional(),
  observedAtMs: z.number(),
})
export type ObservedLimits = z.infer<typeof ObservedLimits>

/** A response that may be the key's fault, and the cooldown that followed. */
export const KeyFailure = z.object({
  status: z.number().int(),
  message: z.string().nullable(),
  /** Set if the cooldown is for this endpoint only. */
  endpoint: z.string().nullable(),
  atMs: z.number(),
  cooldownUntilMs: z.number(),
})
export type KeyFailure = z.infer<typeof KeyFailure>

export interface KeyState {
  limits?: ObservedLimits
  failure?: KeyFailure
  /** Time at which a later response ended the cooldown. */
  recoveredAtMs?: number
}

export interface KeyStateChange extends KeyState {
  accountId: string
  keyId: string
}

const keptSeconds = (30 * day) / second
export const keyStatesKey = (accountId: string) => `key-states:{${accountId}}`

export type KeyStateStore = ReturnType<typeof createKeyStateStore>

/** States of provider keys as the proxies see them. One hash per account, with a field for each part of a state. */
export const createKeyStateStore = (redis: Redis) => ({
  async save(changes: readonly KeyStateChange[]): Promise<void> {
    const calls = changes.flatMap(({ accountId, keyId, ...state }) => {
      const fields = Object.entries(state).map(([name, value]) => [`${keyId}:${name}`, JSON.stringify(value)])
      const key = keyStatesKey(accountId)
      return [redis.hset(key, Object.fromEntries(fields)), redis.expire(key, keptSeconds)]
    })
    await Promise.all(calls)
  },

  /** By key. Fields that another version wrote in another form are left out. */
  async list(accountId: string, keyIds: readonly string[]): Promise<Map<string, KeyState>> {
    const fields = await redis.hgetall(keyStatesKey(accountId))
    const read = <Part>(schema: z.ZodType<Part>, field: string) =>
      schema.safeParse(JSON.parse(fields[field] ?? 'null')).data
    return new Map(
      keyIds.map((keyId) => [
        keyId,
        {
          limits: read(ObservedLimits, `${keyId}:limits`),
          failure: read(KeyFailure, `${keyId}:failure`),
          recoveredAtMs: read(z.number(), `${keyId}:recoveredAtMs`),
        },
      ]),
    )
  },

  async remove(accountId: string, keyId: string): Promise<void> {
    const fields = ['limits', 'failure', 'recoveredAtMs'].map((name) => `${keyId}:${name}`)
    await redis.hdel(keyStatesKey(accountId), ...fields)
  },
})
