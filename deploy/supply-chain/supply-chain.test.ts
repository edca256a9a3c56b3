import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { composeFile } from '#deploy/docker/compose-file.ts'
import { root } from '#tools/root.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Licences that let everybody use, change and pass on. LGPL: libvips, a library of its own that anybody can replace. */
const allowed = new Set([
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'Unlicense',
])

test('whatever goes into production has a licence that allows it', () => {
  const { packages } = z
    .object({
      packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), license: z.string().optional() })),
    })
    .parse(JSON.parse(read('package-lock.json')))
  const ours = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  expect(ours.length).toBeGreaterThan(100)
  const others = ours.filter(([, { license }]) => !allowed.has(license ?? ''))
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})

test('the SDKs of the tests have exact versions and licences that allow to use them', () => {
  const { devDependencies } = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('deploy/tools/clients/package.json')))
  for (const version of Object.values(devDependencies)) expect(version).toMatch(/^(?:npm:[a-z]+@)?\d+\.\d+\.\d+$/)
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ license: z.string().optional() })) })
    .parse(JSON.parse(read('deploy/tools/clients/package-lock.json')))
  const others = Object.entries(packages).filter(([path, { license }]) => path !== '' && !allowed.has(license ?? ''))
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([
    // Their repository is under MIT, which the packages don't say.
    'node_modules/@llamaindex/core: undefined',
    'node_modules/@llamaindex/env: undefined',
    'node_modules/@llamaindex/openai: undefined',
    'node_modules/json-schema: (AFL-2.1 OR BSD-3-Clause)',
  ])
})

test('the lock file names the packages of every system, so that `npm ci` takes it anywhere', () => {
  const { packages } = z
    .object({
      packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) })),
    })
    .parse(JSON.parse(read('package-lock.json')))
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

const Workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'timeout-minutes': z.number(),
      steps: z.array(z.looseObject({ run: z.string().optional() })),
    }),
  ),
})

test('CI runs the same command as everybody, on embedded stores and in containers, and can write nothing', () => {
  const { permissions, jobs } = Workflow.parse(parse(read('.github/workflows/ci.yml')))
  expect(permissions).toEqual({ contents: 'read' })
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const commands = steps.flatMap(({ run }) => run ?? [])
  expect(commands).toEqual(expect.arrayContaining(['.ci/run', 'npm test -- integration', 'npm audit --omit dev']))
})

test.each(['ci', 'release'])('%s uses actions by commit: a tag can be moved', (name) => {
  // Renovate reads the version behind it.
  const uses = read(`.github/workflows/${name}.yml`).match(/uses: .*/g) ?? []
  expect(uses.length).toBeGreaterThan(0)
  for (const action of uses) expect(action).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('a release is of the version of the package, for two architectures, with a bill of materials, and signed', () => {
  const { permissions, jobs } = Workflow.parse(parse(read('.github/workflows/release.yml')))
  expect(permissions).toEqual({})
  expect(Object.keys(jobs)).toEqual(['image', 'release'])
  const text = read('.github/workflows/release.yml')
  for (const part of ['.version package.json', 'arch: amd64', 'arch: arm64', '--sbom=true', 'attest-build-provenance'])
    expect(text).toContain(part)
  expect(read('deploy/CHANGELOG.md')).toContain('## Unreleased')
})

test('CI checks configuration with the very images that Compose runs', () => {
  const images = read('.github/workflows/ci.yml').matchAll(
    /\b(?:prom|otel|caddy)[\w/-]*:v?\d[\w.-]+(?:@sha256:[0-9a-f]{64})?/g,
  )
  const known = Object.values(composeFile.services).map(({ image }) => image)
  expect([...images].map(([image]) => image).filter((image) => !known.includes(image))).toEqual([])
})

const versionsOf = (image: string, text: string) =>
  Array.from(text.matchAll(new RegExp(`\\b${image}:([\\d.]+)`, 'g')), ([, version]) => version)

test('the stores of Kubernetes and of the tests are those of Compose', () => {
  const compose = read('docker-compose.yml')
  const node = ['postgres', 'redis', 'clickhouse'].map((name) =>
    read(`deploy/kubernetes/overlays/single-node/${name}.yaml`),
  )
  for (const image of ['postgres', 'valkey/valkey', 'clickhouse/clickhouse-server']) {
    const versions = new Set(versionsOf(image, `${compose}\n${node.join('\n')}`))
    expect([...versions], image).toHaveLength(1)
    const [inTests] = versionsOf(image, read('deploy/tools/test/store-containers.ts'))
    expect([...versions][0]!.startsWith(inTests!), image).toBe(true)
  }
})
