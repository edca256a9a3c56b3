import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workerMemory } from './worker-memory.ts'

const root = join(import.meta.dirname, '../..')
const entries = Object.entries(workerMemory)

test.each([
  ['package.json', (name: string, value: string) => `${name}=${value} `],
  ['docker-compose.yml', (name: string, value: string) => `      ${name}: ${quoted(value)}\n`],
  [
    'deploy/kubernetes/base/worker.yaml',
    (name: string, value: string) => `- { name: ${name}, value: ${quoted(value)} }`,
  ],
])('%s starts workers with them', (file, written) => {
  const text = readFileSync(join(root, file), 'utf8')
  for (const [name, value] of entries) expect(text).toContain(written(name, value))
})

/** As YAML has it, where a number would be no text. */
const quoted = (value: string) => (/^\d+$/.test(value) ? `'${value}'` : value)
