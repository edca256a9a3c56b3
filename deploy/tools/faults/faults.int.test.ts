import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findCommand } from '#tools/process/find-command.ts'
import { createTestDatabase, type TestDatabase } from '#tools/test/stores.ts'
import { cases } from './cases.ts'
import { type ProvokedCase, provoke, evaluateFault } from './fault-case.ts'
import { type ServiceStack, startServiceStack } from '#tools/stack/service-stack.ts'

let database: TestDatabase
let stack: ServiceStack

beforeAll(async () => {
  expect(inject('stores')).toBeDefined()
  database = await createTestDatabase()
  const redisProgram = findCommand(['redis-server', 'valkey-server'])
  stack = await startServiceStack({ postgresUrl: database.url, redisProgram: redisProgram! })
})
afterAll(async () => {
  await stack?.stop()
  await database?.drop()
})

/**
 * Rows are evaluated at the end, so that a fault can begin while the pipeline still catches up with the previous one.
 */
const shortCases = cases.filter(({ isShort }) => isShort)
const provoked: ProvokedCase[] = []

test.each(shortCases.map((fault) => [fault.row, fault.name, fault] as const))(
  'row %i, %s: the fault begins and ends',
  async (_row, _name, fault) => {
    provoked.push(await provoke(stack, fault, true))
  },
  60_000,
)

test.each(shortCases.map(({ row, name }) => [row, name] as const))(
  'row %i, %s: every completed request is logged once, and the counters agree',
  async (row) => {
    const over = provoked.find(({ fault }) => fault.row === row)
    expect((await evaluateFault(stack, over!)).problems).toEqual([])
  },
  150_000,
)
