import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { findCommand } from '#tools/process/find-command.ts'
import { findFreePort, findMetricsPorts } from '#tools/process/free-port.ts'
import { root } from '#tools/root.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'

const page = await readFile(join(root, 'deploy/docs/operations.md'), 'utf8')
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g)].map(
  ([, code = '', printed = '']) => ({ code, printed }),
)

function isWalked(code: string): boolean {
  const [, program] = /^# Needs (\S+)$/m.exec(code) ?? []
  return !code.startsWith('# Not run: ') && (program === undefined || findCommand([program]) !== undefined)
}

/** @returns the first part of a block, split at `…` and line ends, that was not printed after its predecessors */
function findMissing(expected: string, printed: string): string | undefined {
  let end = 0
  return expected
    .trim()
    .split(/…|\n/)
    .find((piece) => {
      const at = printed.indexOf(piece, end)
      end = at + piece.length
      return at === -1
    })
}

test('operations.md: each block works in the shell of those before it, and prints what the page says', async () => {
  const env = {
    PORT: String(await findFreePort()),
    METRICS_PORT: String(await findMetricsPorts()),
    PROVIDER_PORT: String(await findFreePort()),
    OTHER_PORT: String(await findFreePort()),
    DATA_DIR: join(temporaryFolder(), 'data'),
  }
  const walked = blocks.filter(({ code }) => isWalked(code))
  const end = '--- end of a block'
  const script = walked.map(({ code }) => `${code}\necho; echo '${end}'\n`).join('')
  const shell = `set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n${script}`
  const { all } = await execa('bash', ['-c', shell], {
    cwd: root,
    env,
    all: true,
    reject: false,
    timeout: 300_000,
  })
  const printed = all.split(end)
  expect(printed.length, all).toBe(walked.length + 1)
  for (const [index, each] of walked.entries())
    expect(findMissing(each.printed, printed[index]!), `${each.code}\n${printed[index]}`).toBeUndefined()
}, 320_000)

test.each(['unit', 'integration'])('operations.md: tests of %s that it names exist', (project) => {
  const named = [...page.matchAll(new RegExp(`npm test -- ${project} (.+)`, 'g'))].flatMap(([, names]) =>
    names!.split(' '),
  )
  const files = globSync('{services,deploy}/**/*.test.ts', { cwd: root })
  const ofProject = files.filter((file) => file.endsWith('.int.test.ts') === (project === 'integration'))
  expect(named.filter((name) => !ofProject.some((file) => file.includes(name)))).toEqual([])
})
