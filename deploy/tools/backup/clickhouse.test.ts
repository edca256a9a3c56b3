import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { execa } from 'execa'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'

/** A fake of ClickHouse that takes any backup. */
const asked: string[] = []
const server = createServer(async (request, response) => {
  const query = (await buffer(request)).toString()
  asked.push(query)
  if (query.includes('currentDatabase()')) return response.end('{"name":"sallyport"}\n')
  const status = asked.some((each) => each.startsWith('RESTORE')) ? 'RESTORE_FAILED' : 'BACKUP_CREATED'
  response.end(`${JSON.stringify({ status, error: 'said no', num_files: 3, total_size: 10 })}\n`)
})
const url = `http://127.0.0.1:${await listenLocally(server)}`
beforeEach(() => void (asked.length = 0))
afterAll(() => void server.close())

const run = (action: 'backup' | 'restore', target: string, cluster = '', input = '') =>
  execa(process.execPath, [join(import.meta.dirname, 'clickhouse.ts'), action, target], {
    env: {
      CLICKHOUSE_URL: url,
      CLICKHOUSE_CLUSTER: cluster,
      POSTGRES_URL: 'postgres://127.0.0.1/sallyport',
      REDIS_STATE_URL: 'redis://127.0.0.1',
      REDIS_QUEUE_URL: 'redis://127.0.0.1',
      MASTER_KEYS: '1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
      SESSION_SECRET: 'a secret of at least thirty-two characters',
    },
    input,
    reject: false,
  })

const bucket = "S3('https://logs.example.com/monday', 'key', 'secret')"

test('a cluster is backed up and restored as a whole, whichever of its servers responds', async () => {
  const { stdout } = await run('backup', bucket, 'logs')
  expect(stdout).toBe('BACKUP_CREATED: 3 files, 10 bytes')
  expect(asked[1]).toContain(`BACKUP DATABASE \`sallyport\` ON CLUSTER 'logs' TO ${bucket}`)
  expect(asked[2]).toContain("FROM clusterAllReplicas('logs', system.backups)")

  asked.length = 0
  expect(await run('restore', bucket, 'logs')).toMatchObject({ exitCode: 1, stderr: 'said no' })
  expect(asked[1]).toContain(`RESTORE DATABASE \`sallyport\` ON CLUSTER 'logs' FROM ${bucket}`)
})

test('a single server is backed up alone', async () => {
  await run('backup', "File('/backups/monday')")
  expect(asked[1]).toContain("BACKUP DATABASE `sallyport` TO File('/backups/monday')")
  expect(asked[2]).toContain('FROM system.backups')
})

test('a target with a secret is read from the standard input', async () => {
  await run('backup', '-', '', `${bucket}\n`)
  expect(asked[1]).toContain(`BACKUP DATABASE \`sallyport\` TO ${bucket} SETTINGS`)
})

test('a folder, of which each server has its own, is rejected for a cluster', async () => {
  const { exitCode, stderr } = await run('backup', "File('/backups/monday')", 'logs')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('all servers of a cluster reach')
  expect(asked).toEqual([])
})
