import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '#core/problem.ts'
import type { Redis } from '#core/resources.ts'
import { hour, minute, second } from '#core/units.ts'

/** Attempts in a window, by what they are counted by. Many people share one address; nobody needs twenty guesses. */
const limits = {
  signInByAddress: { points: 100, duration: (15 * minute) / second },
  signInByAccount: { points: 100, duration: hour / second },
  signInByPair: { points: 20, duration: (15 * minute) / second },
  registration: { points: 300, duration: hour / second },
  /** Guesses of a password by somebody who holds a session. */
  passwordCheck: { points: 10, duration: (15 * minute) / second },
  /** Guesses of a code by somebody who knows the password. */
  twoFactorCode: { points: 10, duration: hour / second },
  tokenReveal: { points: 30, duration: (15 * minute) / second },
  /** Calls of a provider on behalf of an account. */
  providerCall: { points: 60, duration: minute / second },
  /** Each save may resolve a name. */
  configSave: { points: 30, duration: minute / second },
  /** Calls of the payment provider on behalf of an account. */
  payment: { points: 60, duration: (15 * minute) / second },
  photo: { points: 60, duration: hour / second },
} as const
type LimitName = keyof typeof limits

export interface Throttle {
  /** @throws Problem `too-many-requests` with the time after which it makes sense to try again */
  count(limit: LimitName, key: string): Promise<void>
  /** Takes a count back: the attempt was a rightful one. */
  forgive(limit: LimitName, key: string): Promise<void>
  /** Forgets all counts of a key. */
  clear(limit: LimitName, key: string): Promise<void>
}

/** Counted in Redis for all processes together; while it is away, each process counts for itself. */
export function createThrottle(redis: Redis): Throttle {
  const limiters = new Map<LimitName, RateLimiterAbstract>()
  for (const [name, { points, duration }] of Object.entries(limits)) {
    const insuranceLimiter = new RateLimiterMemory({ points, duration })
    const limiter = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `sallyport:throttle:${name}`,
      points,
      duration,
      insuranceLimiter,
      rejectIfRedisNotReady: true,
    })
    limiters.set(name as LimitName, limiter)
  }
  const limiter = (name: LimitName) => limiters.get(name)!
  return {
    async count(name, key) {
      try {
        await limiter(name).consume(key)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / second))
        throw new Problem('too-many-requests', { retryAfterSeconds })
      }
    },
    forgive: async (name, key) => void (await limiter(name).reward(key)),
    clear: async (name, key) => void (await limiter(name).delete(key)),
  }
}
