import { expect, test } from 'vitest'
import { summarizeLogLine } from './log-line.ts'

test.each([
  [
    '{"level":60,"err":{"message":"listen EADDRINUSE","stack":"Error"},"msg":"could not start"}',
    'could not start: listen EADDRINUSE',
  ],
  ['{"level":40,"msg":"has not started"}', 'has not started'],
  ['{"type":"Error"}', '{"type":"Error"}'],
  ['{ cut', '{ cut'],
  ['  PORT: got "x"', '  PORT: got "x"'],
])('%s is shown as %s', (line, summary) => {
  expect(summarizeLogLine(line)).toBe(summary)
})
