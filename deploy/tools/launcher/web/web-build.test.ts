import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { buildWeb } from './web-build.ts'

test('the web app of a private stack can be served by a service that runs as another user', async () => {
  const root = temporaryFolder()
  await mkdir(join(root, 'node_modules/vite/bin'), { recursive: true })
  await writeFile(join(root, 'node_modules/vite/bin/vite.js'), "require('fs').mkdirSync('dist')")
  const asStack = ['-c', 'umask 077 && exec "$0" "$@"']
  await buildWeb(root, async ({ command, args, cwd }) => {
    await execa('sh', [...asStack, command, ...args], { cwd })
  })
  expect((await stat(join(root, 'dist'))).mode & 0o777).toBe(0o755)
})
