import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '#core/problem.ts'
import type { Redis } from '#core/redis/redis.ts'
import { day, hour, minute, second } from '#core/units.ts'
import { GrowingDelay, type GrowingDelayOptions } from './growing-delay.ts'

/** Allowed attempts per window. Durations in seconds. */
const limits = {
  registration: { points: 300, duration: hour / second },
  /** Successful ones of an account: their entries in its audit history are kept. */
  signIn: { points: 1_000, duration: (10 * minute) / second },
  /** Calls of an account, or of a management key, that may change something; they also leave entries. */
  change: { points: 1_000, duration: (10 * minute) / second },
  /** Password checks within a session. */
  passwordCheck: { points: 10, duration: (15 * minute) / second },
  /** Mails to an address that may belong to someone else. */
  emailConfirmation: { points: 3, duration: hour / second },
  emailChange: { points: 10, duration: day / second },
  forgotPassword: { points: 20, duration: hour / second },
  /** Opened links, valid or not. */
  mailedLink: { points: 60, duration: (15 * minute) / second },
  tokenReveal: { points: 30, duration: (15 * minute) / second },
  /** Requests to the provider on behalf of an account. */
  providerCall: { points: 60, duration: minute / second },
  /** Each save may cause a DNS lookup. */
  configSave: { points: 30, duration: minute / second },
  /** Requests to the payment provider on behalf of an account. */
  payment: { points: 60, duration: (15 * minute) / second },
  /** Messages that turned out not to come from the payment provider, by sender. */
  paymentMessage: { points: 60, duration: (15 * minute) / second },
  photo: { points: 60, duration: hour / second },
  /** Calls whose responses are kept for a day. */
  idempotentCall: { points: 600, duration: hour / second },
  /** Messages to mailboxes and webhooks. */
  alertTest: { points: 30, duration: hour / second },
}

/** Attempts with a growing delay. Many users may share an address. */
const delays = {
  signInByAddress: { free: 100, duration: (15 * minute) / second, maxDelayMs: 5 * minute },
  signInByAccount: { free: 100, duration: day / second, maxDelayMs: 5 * minute },
  signInByPair: { free: 20, duration: hour / second, maxDelayMs: 15 * minute },
  /** Counted separately for known browsers, so that guesses from elsewhere don't delay their owner. */
  signInByDevice: { free: 20, duration: hour / second, maxDelayMs: 15 * minute },
  /** Codes after a correct password. */
  twoFactorCode: { free: 10, duration: day / second, maxDelayMs: hour },
  /** Names and addresses that turned out to be taken, by network; slows down account enumeration. */
  takenName: { free: 20, duration: day / second, maxDelayMs: hour },
  /** Requested links, by recipient. */
  passwordReset: { free: 3, duration: day / second, maxDelayMs: 2 * hour },
} satisfies Record<string, GrowingDelayOptions>

type LimitName = keyof typeof limits | keyof typeof delays

export type Throttle = ReturnType<typeof createThrottle>

/** Counts in Redis, shared by all processes; while Redis is unavailable, each process counts separately. */
export function createThrottle(redis: Redis) {
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

  function createFor(name: LimitName): RateLimiterAbstract | GrowingDelay {
    const options: { points: number; duration: number } | GrowingDelayOptions = { ...limits, ...delays }[name]
    if ('points' in options) return createLimiter(name, options.points, options.duration)
    const attempts = createLimiter(name, options.free, options.duration)
    return new GrowingDelay(attempts, createLimiter(`${name}:gate`, 1, options.maxDelayMs / second), options)
  }

  const limiters = new Map<LimitName, RateLimiterAbstract | GrowingDelay>()
  function limiter(name: LimitName): RateLimiterAbstract | GrowingDelay {
    const found = limiters.get(name) ?? createFor(name)
    limiters.set(name, found)
    return found
  }

  return {
    /** @throws Problem `too-many-requests` with the time until the next attempt is allowed */
    async count(name: LimitName, key: string): Promise<void> {
      try {
        await limiter(name).consume(key)
      } catch (rejected) {
        if (!(rejected instanceof RateLimiterRes)) throw rejected
        const retryAfterSeconds = Math.max(1, Math.ceil(rejected.msBeforeNext / second))
        throw new Problem('too-many-requests', { retryAfterSeconds })
      }
    },
    /** Reverts a count after a legitimate attempt. */
    forgive: async (name: LimitName, key: string): Promise<void> => void (await limiter(name).reward(key)),
    /** Forgets all counts of a key. */
    clear: async (name: LimitName, key: string): Promise<void> => void (await limiter(name).delete(key)),
  }
}
