import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'

test('the signal that switches the log level of a service does not end it when its launcher gets it', async () => {
  const script = join(temporaryFolder(), 'service.js')
  await writeFile(
    script,
    "process.on('SIGUSR2', () => process.exit(7)); setInterval(() => {}, 1000); console.log('up')",
  )
  const launcher = execa(process.execPath, [join(import.meta.dirname, 'bootstrap.js'), script], {
    env: { npm_lifecycle_event: '' },
    reject: false,
  })
  await once(launcher.stdout, 'data')
  launcher.kill('SIGUSR2')
  launcher.kill('SIGTERM')
  expect(await launcher).toMatchObject({ exitCode: 143 })
})
