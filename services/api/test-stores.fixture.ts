import { randomBytes } from 'node:crypto'
import postgres from 'postgres'

export interface TestStores {
  postgresUrl: string
  redisUrl: string
  close(): Promise<void>
}

/** A Postgres database of its own and a Redis, for one test file. */
export async function openTestStores(): Promise<TestStores> {
  const server = 'postgres://postgres:pw@127.0.0.1:5499'
  const name = `accounts_${randomBytes(6).toString('hex')}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name}`)
  return {
    postgresUrl: `${server}/${name}`,
    redisUrl: 'redis://127.0.0.1:6401/5',
    async close() {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
