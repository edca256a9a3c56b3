import { expect, test } from 'vitest'
import { Tags } from './tags.ts'

test.each([
  [
    { customer: ' acme ', 'a.b_c-1': '漢' },
    { customer: 'acme', 'a.b_c-1': '漢' },
  ],
  [{}, null],
  [null, null],
])('%j', (tags, kept) => expect(Tags.parse(tags)).toEqual(kept))

// Postgres can't store the last two.
test.each([{ 'a b': '1' }, { a: '' }, { a: 1 }, ['a'], { a: 'v'.repeat(257) }, { a: 'x\0' }, { a: '\ud800' }])(
  '%.40j is rejected with a message that a form can show',
  (tags) => expect(Tags.safeParse(tags).error?.issues[0]?.message).toMatch(/^(?:At most 16 tags|The value of a tag)/),
)

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))

test('at most 16', () => {
  expect([Tags.safeParse(many(16)).success, Tags.safeParse(many(17)).success]).toEqual([true, false])
})
