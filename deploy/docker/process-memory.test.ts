import { root } from '#tools/root.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proxyMemory, workerMemory } from './process-memory.ts'

const inScript = (name: string, value: string) => (value.includes(' ') ? `${name}='${value}' ` : `${name}=${value} `)
const inCompose = (name: string, value: string) => `      ${name}: ${quoted(value)}\n`
const inManifest = (name: string, value: string) => `- { name: ${name}, value: ${quoted(value)} }`

/** Quoted as in YAML, where digits alone would be a number. */
const quoted = (value: string) => (/^\d+$/.test(value) ? `'${value}'` : value)

test.each([
  ['package.json', inScript, { ...workerMemory }],
  ['package.json', inScript, { ...proxyMemory }],
  ['docker-compose.yml', inCompose, { ...workerMemory }],
  ['docker-compose.yml', inCompose, { ...proxyMemory }],
  ['deploy/kubernetes/base/worker.yaml', inManifest, { ...workerMemory }],
  ['deploy/kubernetes/base/proxy.yaml', inManifest, { ...proxyMemory }],
])('%s starts processes with them', (file, written, variables) => {
  const text = readFileSync(join(root, file), 'utf8')
  for (const [name, value] of Object.entries(variables)) expect(text).toContain(written(name, value))
})
