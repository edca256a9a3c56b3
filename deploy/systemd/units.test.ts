import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proxyMemory, workerMemory } from '#deploy/docker/process-memory.ts'
import { imageVariables, serviceVariables } from '#deploy/docker/service-variables.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { serviceStopMs } from '#tools/process/stop-time.ts'
import { root } from '#tools/root.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'

const folder = import.meta.dirname
const files = globSync('**/*.{service,conf}', { cwd: folder })
const services = files.filter((file) => file.endsWith('.service') && !file.includes('migrate'))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const systemdAnalyze = findCommand(['systemd-analyze'])

/** The variables that a unit sets. */
function variablesOf(file: string): Record<string, string> {
  const values = [...read(file).matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) =>
    line.startsWith('"') ? [line.slice(1, -1)] : line.split(' '),
  )
  return Object.fromEntries(values.map((value) => [value.split('=', 1)[0], value.slice(value.indexOf('=') + 1)]))
}

test('the files are there', () => {
  expect(files.toSorted()).toEqual([
    'sallyport-.service.d/10-common.conf',
    'sallyport-api.service',
    'sallyport-migrate.service',
    'sallyport-proxy@.service',
    'sallyport-worker.service',
  ])
})

test('every variable is one that the services read, and settings in the shared file do not change a port', () => {
  const known = [...serviceVariables, ...imageVariables]
  const names = files.flatMap((file) => Object.keys(variablesOf(file)).map((name) => name.replace(/_FILE$/, '')))
  const shared = [...read('sallyport.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
  expect([...names, ...shared].filter((name) => !known.includes(name))).toEqual([])
  expect(shared.filter((name) => names.includes(name))).toEqual([])
})

test('each secret that is copied for a process is the one that it reads', () => {
  const common = 'sallyport-.service.d/10-common.conf'
  const copied = [...read(common).matchAll(/^LoadCredential=(\w+):\/etc\/sallyport\/secrets\/(\w+)$/gm)]
  for (const [, id, file] of copied) expect(id).toBe(file)
  const secrets = Object.entries(variablesOf(common)).filter(([name]) => name.endsWith('_FILE'))
  expect(secrets).toEqual(copied.map(([, id]) => [`${id}_FILE`, `%d/${id}`]))
})

test('processes have the memory settings of the containers', () => {
  expect(variablesOf('sallyport-proxy@.service')).toMatchObject(proxyMemory)
  expect(variablesOf('sallyport-worker.service')).toMatchObject(workerMemory)
})

test.each(services)('%s starts after the migrations and has time to stop', (file) => {
  const text = read(file)
  expect(text).toMatch(/^After=sallyport-migrate\.service\nWants=sallyport-migrate\.service$/m)
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text)!
  expect(Number(seconds) * 1_000).toBeGreaterThan(serviceStopMs({}))
})

test('each instance that the guide allows has ports of its own', () => {
  const guide = readFileSync(join(root, 'deploy/README.md'), 'utf8')
  const [, first, last] = /number of an instance, from (\d+) to (\d+), is the last digit of its port/.exec(guide)!
  expect(read('sallyport-proxy@.service')).toContain(`# Instances ${first} to ${last}:`)
  const instances = Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => String(Number(first) + at))
  const ports = services.flatMap((file) => {
    const { PORT = '', METRICS_PORT = '' } = variablesOf(file)
    const numbers = file.includes('@') ? instances : ['']
    return numbers.flatMap((number) => [PORT, METRICS_PORT].map((port) => Number(port.replace('%i', number))))
  })
  expect(new Set(ports).size).toBe(ports.length)
  expect(Math.max(...ports)).toBeLessThanOrEqual(65_535)
})

const installed = temporaryFolder(afterAll)
beforeAll(() => {
  cpSync(folder, installed, { recursive: true, filter: (path) => !path.endsWith('.ts') })
  for (const file of files) writeFileSync(join(installed, file), read(file).replaceAll('/opt/sallyport', root))
})

test('systemd finds nothing wrong with them', async ({ skip }) => {
  skip(!systemdAnalyze, 'systemd is not installed')
  const units = globSync('*.service', { cwd: installed }).map((file) => join(installed, file.replace('@', '@1')))
  const { all } = await execa(systemdAnalyze!, ['verify', ...units], { all: true })
  expect(all.split('\n').filter((line) => line.includes('sallyport'))).toEqual([])
  const limit = ['--offline=true', '--threshold=15', '--no-pager']
  await execa(systemdAnalyze!, ['security', ...limit, ...globSync(`${installed}/*.service`)])
})
