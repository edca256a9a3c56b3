import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.fixture.ts'

const noStores = {
  POSTGRES_URL: 'postgres://127.0.0.1:1/none',
  REDIS_STATE_URL: 'redis://127.0.0.1:1',
  REDIS_QUEUE_URL: 'redis://127.0.0.1:1',
}

test.each([
  ['rotate-keys', './rotate-keys.ts'],
  ['check-config', './check-config.ts'],
  ['migrate', '../migrate.ts'],
])('%s does nothing when it is given an argument', async (name, script) => {
  const { code, stdout, stderr } = await runCommand(new URL(script, import.meta.url), ['--dry-run'], noStores)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`error: unknown option '--dry-run'\n\nUsage: npm run ${name} [options]`)
})

test('a command whose output nobody reads does its work', async () => {
  const script = `import { runCommand } from ${JSON.stringify(import.meta.resolve('./run-command.ts'))}
    await runCommand(async () => {
      for (const line of ['first', 'second']) {
        console.log(line)
        await new Promise(setImmediate)
      }
      console.error('done')
    })`
  const command = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' })
  command.stdout.destroy()
  const [errors, [code]] = await Promise.all([text(command.stderr), once(command, 'exit')])
  expect({ code, errors }).toEqual({ code: 0, errors: 'done\n' })
})
