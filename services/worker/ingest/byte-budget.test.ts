import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

test('bytes are granted in order, and more than the whole budget alone', async () => {
  const budget = new ByteBudget(10)
  const granted: string[] = []
  const take = async (name: string, bytes: number) => {
    const release = await budget.take(bytes)
    granted.push(name)
    return release
  }
  const first = await take('first', 4)
  const fitting = await take('fitting', 6)
  const large = take('large', 11)
  first()
  const small = take('small', 1)
  fitting()
  const releaseLarge = await large
  expect(granted).toEqual(['first', 'fitting', 'large'])
  releaseLarge()
  await small
})
