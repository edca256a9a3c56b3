import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CreateSecureToken } from './secure-tokens.ts'

const parse = (fields: object) => CreateSecureToken.safeParse({ name: 'Laptop', ...fields })

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  fc.constantFrom('::ffff:1.2.3.4', 'fe80::1%eth0', '1.2.3'),
)
const range = fc.tuple(address, fc.integer({ min: -1, max: 130 })).map(([net, prefix]) => `${net}/${prefix}`)

test('every accepted address or range is valid in a block list', () => {
  fc.assert(
    fc.property(fc.oneof(address, range, fc.string()), (entry) => {
      const parsed = parse({ allowedAddresses: [entry] })
      if (!parsed.success) return
      const [net = '', prefix] = parsed.data.allowedAddresses![0]!.split('/')
      const family = isIP(net) === 6 ? 'ipv6' : 'ipv4'
      const list = new BlockList()
      if (prefix === undefined) list.addAddress(net, family)
      else list.addSubnet(net, Number(prefix), family)
      expect(list.rules).toHaveLength(1)
    }),
    { numRuns: 500 },
  )
})

test('an amount may have up to four decimals, despite floating-point errors', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (tenThousandths) => {
      expect(parse({ monthlyBudgetUsd: tenThousandths / 10_000 }).success).toBe(true)
    }),
    { numRuns: 500 },
  )
  for (const amount of [0.12345, 1e-300]) expect(parse({ monthlyBudgetUsd: amount }).success).toBe(false)
})

test('empty lists are no restriction, and repeated entries count once', () => {
  expect(parse({ models: [], allowedAddresses: [] }).data).toMatchObject({ models: null, allowedAddresses: null })
  expect(parse({ models: ['gpt-4o', 'gpt-4o '] }).data).toMatchObject({ models: ['gpt-4o'] })
})
