import { root } from '#tools/root.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measuredParts, withResult } from './write-measured.ts'

const measured = readFileSync(join(root, 'deploy/docs/measured.md'), 'utf8')

test.each(measuredParts)(
  'measured.md has a place for the result of %s, and a new one takes the place of the old',
  (part) => {
    const once = withResult(measured, part, 'the first result')
    const twice = withResult(once, part, 'the second result')
    expect(once).toContain('the first result')
    expect(twice).toBe(once.replace('the first result', 'the second result'))
    const [begin, end] = [`<!-- bench:${part} -->`, `<!-- /bench:${part} -->`]
    expect([twice.split(begin)[0], twice.split(end)[1]]).toEqual([measured.split(begin)[0], measured.split(end)[1]])
  },
)

test('without a place it says what is missing', () => {
  expect(() => withResult('# Another document', 'proxy', 'a result')).toThrow('<!-- bench:proxy -->')
})
