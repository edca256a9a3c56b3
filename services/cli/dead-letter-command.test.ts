import { expect, test } from 'vitest'
import { readDeadLetterCommand } from './dead-letter-command.ts'

test('commands and their ids are read', () => {
  expect(readDeadLetterCommand(['list'])).toEqual({ action: 'list', ids: [] })
  expect(readDeadLetterCommand(['replay', 'a', 'b'])).toEqual({ action: 'replay', ids: ['a', 'b'] })
})

test.each([[], ['lsit'], ['show'], ['drop'], ['list', 'a']].map((words) => [words]))('%j shows the usage', (words) => {
  expect(readDeadLetterCommand(words)).toContain('Usage')
})
