import { expect, test } from 'vitest'
import { startChild } from './child.ts'

test('what a child said last is the reason, not the stack, also if it ran out of memory', async () => {
  const script = 'const kept = []; for (;;) kept.push({})'
  const child = startChild({ name: 'Hog', command: process.execPath, args: ['--max-old-space-size=8', '-e', script] })
  const { description } = await child.exited
  expect(description).toMatch(/^Hog ended \(SIGABRT\)\. It said last:\n/)
  expect(description).toMatch(/JavaScript heap out of memory$/)
})
