import pTimeout from 'p-timeout'
import { cachedFor } from '#core/cached-for.ts'
import type { Redis } from '#core/redis/redis.ts'
import type { Needs } from './health.ts'
import { minute, second } from '#core/units.ts'

const checkTimeoutMs = 2 * second

/** Results are reused for this long. */
const cachedMs = second / 2

interface Need {
  name: string
  check(): Promise<unknown>
  isOwn: boolean
}

interface CheckedNeeds {
  needs: Needs
  /** True if everything that only this process has is ok. */
  isReady: boolean
  /** Errors of unavailable needs, by name. */
  errors: Map<string, unknown>
}

/** A need may have several checks: it is ok if all of them pass. */
export class Readiness {
  readonly #needs: Need[] = []
  isDraining = false

  /** Adds a store. The process stays ready without it, because all other processes would be without it as well. */
  add(name: string, check: () => Promise<unknown>): void {
    this.#needs.push({ name, check, isOwn: false })
  }

  /** Adds something that only this process has, such as its disk: another process can serve instead. */
  addOwn(name: string, check: () => Promise<unknown>): void {
    this.#needs.push({ name, check, isOwn: true })
  }

  /** Checks a write, because a replica or a full server still responds to a ping. */
  addRedis(name: string, redis: Redis): void {
    // Until its first attempt to connect has ended, a client rejects commands even if nothing is wrong.
    const attempted =
      redis.status === 'ready' || new Promise((resolve) => redis.once('ready', resolve).once('close', resolve))
    this.add(name, async () => {
      await attempted
      await redis.set(`sallyport:ready:${process.pid}`, '1', 'PX', minute)
    })
  }

  readonly check = cachedFor(cachedMs, () => this.#checkAll())

  async #checkAll(): Promise<CheckedNeeds> {
    const checked: CheckedNeeds = { needs: {}, isReady: true, errors: new Map() }
    const checking = this.#needs.map(async ({ name, check, isOwn }) => {
      checked.needs[name] ??= 'ok'
      await pTimeout(check(), { milliseconds: checkTimeoutMs }).catch((error: unknown) => {
        checked.needs[name] = 'unavailable'
        checked.errors.set(name, error)
        if (isOwn) checked.isReady = false
      })
    })
    await Promise.all(checking)
    return checked
  }
}
