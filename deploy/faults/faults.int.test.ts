import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findCommand } from '#deploy/embedded/find-command.ts'
import { createTestDatabase, type TestDatabase } from '#deploy/test/stores.ts'
import { cases } from './cases.ts'
import { runCase } from './fault-case.ts'
import { type FaultStack, startFaultStack } from './stack.ts'

let database: TestDatabase
let stack: FaultStack

beforeAll(async () => {
  expect(inject('stores')).toBeDefined()
  database = await createTestDatabase()
  const redisProgram = findCommand(['redis-server', 'valkey-server'])
  stack = await startFaultStack({ postgresUrl: database.url, redisProgram: redisProgram! })
})
afterAll(async () => {
  await stack?.stop()
  await database?.drop()
})

test.each(cases.filter(({ isShort }) => isShort).map((fault) => [fault.row, fault.name, fault] as const))(
  'row %i, %s: every answered request is logged once, and the accounts are right',
  async (_row, _name, fault) => {
    expect((await runCase(stack, fault, true)).problems).toEqual([])
  },
  150_000,
)
