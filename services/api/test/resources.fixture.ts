import { Queue } from 'bullmq'
import sharp from 'sharp'
import type { FakePayPal } from '#tools/fake-paypal/server.ts'
import { deadEventQueue, jobNameOf } from '#shared/pipeline/queue.ts'
import { queueOptions } from '#core/redis/queue-shards.ts'
import { requestEvent } from '#store/clickhouse/request-event.fixture.ts'
import { toRows } from '#store/clickhouse/request-log-rows.ts'
import { createRequestLogStore } from '#store/clickhouse/request-logs.ts'
import type { Person, TestApi } from './api.fixture.ts'

/** By the start of a path: finds or makes something of a person's that the path can name. @returns its id */
export type Resources = Record<string, (person: Person) => Promise<string>>

const newestOf = async (person: Person, list: string): Promise<string | undefined> =>
  (await person.call('GET', list)).json().at(-1)?.id

/** The newest of a list, made when there is none. */
const listed = (list: string, make: (person: Person) => Promise<unknown>) => async (person: Person) => {
  const id = await newestOf(person, list)
  if (id) return id
  await make(person)
  return (await newestOf(person, list))!
}

/** @returns the address of a picture that differs by its word */
async function uploadPhoto(person: Person, word: string): Promise<string> {
  const background = { r: word.charCodeAt(0), g: 0, b: 0 }
  const picture = sharp({ create: { width: 2, height: 2, channels: 3, background } }).png()
  const type = { 'content-type': 'image/png' }
  return (await person.call('PUT', '/api/user/photo', await picture.toBuffer(), type)).json().profileImageUrl
}

/** @param word stands in everything that is made for a person */
export function createResources(api: TestApi, paypal: FakePayPal, word: (person: Person) => string) {
  const logs = createRequestLogStore(api.clickhouse, { logRetentionDays: 90 })
  const dead = new Queue(deadEventQueue, queueOptions({ redis: api.queue, tag: '' }))
  const banks = ['pays', 'declines', 'takes its time'] as const
  let orders = 0

  const resources: Resources = {
    '/api/user/sessions/': listed('/api/user/sessions', (person) => person.signIn()),
    '/api/keys/': listed('/api/keys', (person) =>
      person.call('POST', '/api/keys', { name: `${word(person)} key`, key: `sk-${word(person)}-0123456789` }),
    ),
    '/api/tokens/': listed('/api/tokens', (person) =>
      person.call('POST', '/api/tokens', { name: `${word(person)} token` }),
    ),
    '/api/logs/': listed('/api/logs', async (person) => {
      const event = requestEvent({
        accountId: await person.accountId(),
        model: word(person),
        errorMessage: word(person),
      })
      await logs.insert([toRows([event])], event.id)
    }),
    '/api/user/photo/': async (person) => {
      const { profileImageUrl } = (await person.call('GET', '/api/user')).json()
      return (profileImageUrl ?? (await uploadPhoto(person, word(person)))).split('/').at(-1)
    },
    '/api/paypal/': async (person) => {
      const { id } = (await person.call('POST', '/api/paypal/order', {})).json()
      paypal.ledger.approve(id, banks[orders++ % banks.length])
      return id
    },
    // Of no account: a new one each time, for operators.
    '/api/pipeline/dead-letters/': async () => {
      const letter = await dead.add(jobNameOf(1), [{ line: '{}', reason: 'as a test wants it' }])
      return letter.id!
    },
  }
  return { resources, close: () => dead.close() }
}
