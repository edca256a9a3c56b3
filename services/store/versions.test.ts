import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { oldestVersions, requireVersion } from './versions.ts'

test.each([
  ['Postgres', '15.18 (Debian 15.18-0+deb12u1)'],
  ['Postgres', '18.1'],
  ['Redis', '7.0.15'],
  ['Redis', '8.2.1'],
  ['ClickHouse', '26.3.1.7'],
  ['ClickHouse', '27.1.1.1'],
] as const)('%s %s is new enough', (store, version) => {
  expect(() => requireVersion(store, version)).not.toThrow()
})

test.each([
  ['Postgres', '14.20', 'Postgres 14.20 is too old: Sallyport needs 15 or newer.'],
  ['Redis', '6.2.14', 'Redis 6.2.14 is too old: Sallyport needs 7.0 or newer.'],
  ['ClickHouse', '25.8.2.29', 'ClickHouse 25.8.2.29 is too old: Sallyport needs 26.3 or newer.'],
] as const)('%s %s is too old', (store, version, message) => {
  expect(() => requireVersion(store, version)).toThrow(message)
})

test('deploy/README.md states them', () => {
  const readme = readFileSync(new URL('../../deploy/README.md', import.meta.url), 'utf8')
  for (const [store, version] of Object.entries(oldestVersions))
    expect(readme).toMatch(new RegExp(String.raw`^\| ${store}[^|]*\| ${version} +\|`, 'm'))
})
