import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '#core/problem.ts'
import type { Redis } from '#core/resources.ts'
import { day, hour, minute, second } from '#core/units.ts'
import { GrowingDelay, type GrowingDelayOptions } from './growing-delay.ts'

/** Attempts in a window, by what they are counted by. Durations in seconds. */
const limits = {
  registration: { points: 300, duration: hour / second },
  /** Guesses of a password from within a session. */
  passwordCheck: { points: 10, duration: (15 * minute) / second },
  /** Mails that people have sent to themselves, or to an address that may not be theirs. */
  emailConfirmation: { points: 3, duration: hour / second },
  forgotPassword: { points: 20, duration: hour / second },
  /** Links that are opened, valid or not. */
  mailedLink: { points: 60, duration: (15 * minute) / second },
  tokenReveal: { points: 30, duration: (15 * minute) / second },
  /** Calls of a provider on behalf of an account. */
  providerCall: { points: 60, duration: minute / second },
  /** Each save may resolve a name. */
  configSave: { points: 30, duration: minute / second },
  /** Calls of the payment provider on behalf of an account. */
  payment: { points: 60, duration: (15 * minute) / second },
  photo: { points: 60, duration: hour / second },
} as const

/** Attempts that wait longer and longer. Many people may share one address. */
const delays = {
  signInByAddress: { free: 100, duration: (15 * minute) / second, maxDelayMs: 5 * minute },
  signInByAccount: { free: 100, duration: day / second, maxDelayMs: 5 * minute },
  signInByPair: { free: 20, duration: hour / second, maxDelayMs: 15 * minute },
  /** Of an account's own browser, which no stranger's guesses hold up. */
  signInByDevice: { free: 20, duration: hour / second, maxDelayMs: 15 * minute },
  /** Guesses of a code after the right password. */
  twoFactorCode: { free: 10, duration: day / second, maxDelayMs: hour },
  /** Names and addresses that turned out to be taken, by network: against enumeration. */
  takenName: { free: 20, duration: day / second, maxDelayMs: hour },
  /** Links that are asked for, by the address that they go to. */
  passwordReset: { free: 3, duration: day / second, maxDelayMs: 2 * hour },
} as const satisfies Record<string, GrowingDelayOptions>

type LimitName = keyof typeof limits | keyof typeof delays
type Limiter = Pick<GrowingDelay, 'consume' | 'reward' | 'delete'> | RateLimiterAbstract

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
  function createLimiter(name: string, points: number, duration: number): RateLimiterAbstract {
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `sallyport:throttle:${name}`,
      points,
      duration,
      insuranceLimiter: new RateLimiterMemory({ points, duration }),
      rejectIfRedisNotReady: true,
    })
  }

  const limiters = new Map<string, Limiter>()
  for (const [name, { points, duration }] of Object.entries(limits)) {
    limiters.set(name, createLimiter(name, points, duration))
  }
  for (const [name, options] of Object.entries(delays)) {
    const attempts = createLimiter(name, options.free, options.duration)
    const gate = createLimiter(`${name}:gate`, 1, options.maxDelayMs / second)
    limiters.set(name, new GrowingDelay(attempts, gate, options))
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
