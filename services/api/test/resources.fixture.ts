import { Queue } from 'bullmq'
import sharp from 'sharp'
import type { FakePayPal } from '#tools/fake-paypal/server.ts'
import { deadEventQueue, jobNameOf } from '#shared/pipeline/queue.ts'
import { queueOptions } from '#core/redis/queue-shards.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { modelPrice, newAlert, newView, newWebhook } from './account-writes.fixture.ts'
import type { TestUser, TestApi } from './api.fixture.ts'

/** By path prefix: finds or creates a user's resource that the path can name. @returns its id */
export type Resources = Record<string, (user: TestUser) => Promise<string>>

const newestOf = async (user: TestUser, list: string): Promise<string | undefined> =>
  (await user.call('GET', list)).json().at(-1)?.id

/** The newest entry of a list, or a new one. */
const listed = (list: string, make: (user: TestUser) => Promise<unknown>) => async (user: TestUser) => {
  const id = await newestOf(user, list)
  if (id) return id
  await make(user)
  return (await newestOf(user, list))!
}

/** @returns the URL of a picture that depends on the word */
async function uploadPhoto(user: TestUser, word: string): Promise<string> {
  const background = { r: word.charCodeAt(0), g: 0, b: 0 }
  const picture = sharp({ create: { width: 2, height: 2, channels: 3, background } }).png()
  const type = { 'content-type': 'image/png' }
  return (await user.call('PUT', '/api/user/photo', await picture.toBuffer(), type)).json().profileImageUrl
}

/** @param word included in everything that is created for a user */
export function createResources(api: TestApi, paypal: FakePayPal, word: (user: TestUser) => string) {
  const dead = new Queue(deadEventQueue, queueOptions({ redis: api.queue, tag: '' }))
  const banks = ['pays', 'declines', 'takes its time'] as const
  let orders = 0
  const lastOrders = new Map<TestUser, string>()

  const resources: Resources = {
    '/api/user/sessions/': listed('/api/user/sessions', (user) => user.signIn()),
    '/api/keys/': listed('/api/keys', (user) =>
      user.call('POST', '/api/keys', { name: `${word(user)} key`, key: `sk-${word(user)}-0123456789` }),
    ),
    '/api/tokens/': listed('/api/tokens', (user) => user.call('POST', '/api/tokens', { name: `${word(user)} token` })),
    '/api/model-prices/': listed('/api/model-prices', (user) =>
      user.call('POST', '/api/model-prices', { ...modelPrice, pattern: word(user) }),
    ),
    '/api/views/': listed('/api/views', (user) => user.call('POST', '/api/views', { ...newView, name: word(user) })),
    '/api/alerts/': async (user) => {
      const [alert] = (await user.call('GET', '/api/alerts')).json().alerts
      return alert?.id ?? (await user.call('POST', '/api/alerts', { ...newAlert, name: word(user) })).json().id
    },
    '/api/webhooks/': listed('/api/webhooks', (user) =>
      user.call('POST', '/api/webhooks', { ...newWebhook, name: word(user) }),
    ),
    '/api/logs/': listed('/api/logs', async (user) => {
      const accountId = await user.accountId()
      const event = requestEvent({ accountId, model: word(user), errorMessage: word(user) })
      await storeEvents(api.clickhouse, [event])
    }),
    '/api/user/photo/': async (user) => {
      const { profileImageUrl } = (await user.call('GET', '/api/user')).json()
      return (profileImageUrl ?? (await uploadPhoto(user, word(user)))).split('/').at(-1)
    },
    '/api/paypal/': async (user) => {
      const { id } = (await user.call('POST', '/api/paypal/order', {})).json()
      // None can be made while PayPal decides on the last one.
      if (id === undefined) return lastOrders.get(user)!
      paypal.ledger.approve(id, banks[orders++ % banks.length])
      lastOrders.set(user, id)
      return id
    },
    // Belongs to no account, and is new each time.
    '/api/pipeline/dead-letters/': async () => {
      const letter = await dead.add(jobNameOf(1), [{ line: '{}', reason: 'for a test' }])
      return letter.id!
    },
  }
  return { resources, close: () => dead.close() }
}
