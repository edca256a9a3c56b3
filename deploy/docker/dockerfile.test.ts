import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '#tools/root.ts'

const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8')
const instructions = dockerfile
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter(Boolean)
  .map((line) => ({ name: line.split(' ', 1)[0]!, words: line.split(/\s+/).slice(1) }))
const final = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
const packageJson = z
  .object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

test('the image has the Node that everything is tested with, and no rights', () => {
  const version = packageJson.devDependencies['node']!.replace(/^\D/, '')
  expect(dockerfile).toMatch(new RegExp(`^FROM node:${version}-slim@sha256:[0-9a-f]{64} AS node$`, 'm'))
  expect(final.find(({ name }) => name === 'USER')?.words).toEqual(['65532:65532'])
  expect(final.map(({ name }) => name)).toContain('HEALTHCHECK')
  expect(final.filter(({ name }) => name === 'VOLUME').map(({ words }) => words)).toEqual([['/data']])
})

test('what is copied exists and is part of the build context', () => {
  const context = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const folders = context.flatMap((line) =>
    /^!deploy\/./.test(line) && line !== '!deploy/tools' ? [line.slice(1)] : [],
  )
  for (const { name, words } of instructions) {
    if (name !== 'COPY' || words.some((word) => word.startsWith('--from')) || words[0] === '.') continue
    for (const source of words.slice(0, -1)) {
      expect(existsSync(join(root, source)), source).toBe(true)
      const [top] = source.split('/')
      expect(context, source).toContain(`!${top}`)
      if (top === 'deploy')
        expect(
          folders.some((folder) => source.startsWith(`${folder}/`)),
          source,
        ).toBe(true)
    }
  }
})

test('what the image runs imports no tool that the image lacks', () => {
  for (const file of ['clickhouse.ts', 'reconcile-counters.ts'])
    expect(readFileSync(join(root, 'deploy/tools/backup', file), 'utf8')).not.toContain("'#tools/")
})

test('what the image runs needs no development package', () => {
  const files = globSync(['{schemas,services}/**/*.ts', 'deploy/tools/backup/clickhouse.ts'], {
    cwd: root,
  })
  const imported = new Set(
    files
      .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
      .flatMap((file) => {
        const code = readFileSync(join(root, file), 'utf8').replaceAll(/^import type .*$/gm, '')
        return [...code.matchAll(/(?:from |import\(|^import )'([^'.#][^']*)'/gm)].map(([, name]) => name!)
      }),
  )
  const packages = new Set(
    [...imported]
      .filter((name) => !isBuiltin(name))
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
  )
  // chDB is used only if CLICKHOUSE_URL is unset, which the image does not support.
  expect([...packages].filter((name) => !(name in packageJson.dependencies))).toEqual(['chdb'])
})

test('the sources that the image has compiled are there', () => {
  const [, list = ''] = /^RUN node --eval "for \(const part of \[(.+?)\]/m.exec(dockerfile)!
  const parts = list.split(', ').map((part) => part.slice(1, -1))
  expect(parts).toContain('proxy/role')
  for (const part of parts) expect(existsSync(join(root, 'services', `${part}.ts`)), part).toBe(true)
  expect(dockerfile).toContain("import('./services/' + part + '.ts')")
})
