import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

test('an error of Redis is logged with the name of its command, but not with arguments such as a password', () => {
  const lines: string[] = []
  const logger = createLogger({ logLevel: 'info', roles: ['proxy'] }, { write: (line) => void lines.push(line) })
  const command = { name: 'hello', args: ['3', 'AUTH', 'default', 'word-of-mouth'] }
  const rejected = Object.assign(new Error('WRONGPASS'), { command })
  const aborted = Object.assign(new Error('EXECABORT'), { previousErrors: [rejected] })
  for (const err of [rejected, aborted, new AggregateError([rejected])]) logger.warn({ err }, 'Redis cannot be reached')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    expect(line).toContain('"name":"hello"')
    expect(line).not.toContain('word-of-mouth')
  }
})
