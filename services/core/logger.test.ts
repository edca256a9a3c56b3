import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
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

test.skipIf(process.platform !== 'linux')(
  'a full disk for the log neither ends the process nor keeps it from ending',
  () => {
    const script = `
      import { createLogger } from ${JSON.stringify(join(import.meta.dirname, 'logger.ts'))}
      const logger = createLogger({ logLevel: 'info', roles: ['proxy'] })
      setInterval(() => logger.info('a line'), 10)
      setTimeout(() => process.exit(3), 200)
    `
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', full, 'pipe'],
      timeout: 4_000,
      killSignal: 'SIGKILL',
    })
    closeSync(full)
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 3, stderr: '' })
  },
)
