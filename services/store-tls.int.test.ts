import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { execa } from 'execa'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCommand } from '#tools/process/find-command.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { root } from '#tools/root.ts'
import { createAuthority, createServerCertificate } from '#tools/stack/certificates.ts'
import { createNodeProcess, isAlive } from '#tools/stack/controlled-process.ts'
import { hasDebianPostgres, startDebianPostgres } from '#tools/stack/debian-postgres.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'

const cleanUps: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
})

describe.skipIf(!hasDebianPostgres)('stores behind TLS with a certificate authority of their own', () => {
  let folder: string
  let environment: NodeJS.ProcessEnv
  let smtpUrl: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-tls-'))
    await chmod(folder, 0o755)
    cleanUps.push(() => rm(folder, { recursive: true }))
    const authority = await createAuthority(join(folder, 'right'))
    await createAuthority(join(folder, 'wrong'))
    const files = await createServerCertificate(join(folder, 'right'), authority)
    const pem = { key: readFileSync(files.key), cert: readFileSync(files.cert) }

    const postgres = await startDebianPostgres(files)
    const redisPort = await findFreePort()
    const redis = await createRedisProcess(findCommand(['redis-server'])!, join(folder, 'redis'), {
      'tls-port': String(redisPort),
      'tls-auth-clients': 'no',
      'tls-ca-cert-file': authority.cert,
      'tls-cert-file': files.cert,
      'tls-key-file': files.key,
    })
    const clickhousePort = await findFreePort()
    const clickhouse = createNodeProcess('ClickHouse', 'deploy/tools/stack/clickhouse-server.ts', {
      args: [String(clickhousePort), join(folder, 'clickhouse')],
      ready: (output) => output.includes('ready'),
    })
    await Promise.all([redis.start(), clickhouse.start()])
    const https = createServer(pem, (client) => {
      const upstream = connect(clickhousePort, '127.0.0.1')
      client.pipe(upstream).pipe(client)
      for (const socket of [client, upstream]) socket.on('error', () => undefined)
    })
    const httpsPort = await listenLocally(https)
    const mails = new SMTPServer({ ...pem, secure: true, authOptional: true })
    mails.on('error', () => undefined)
    mails.listen(0, '127.0.0.1')
    await once(mails.server, 'listening')
    smtpUrl = `smtps://127.0.0.1:${(mails.server.address() as { port: number }).port}`
    cleanUps.push(
      postgres.stop,
      redis.stop,
      clickhouse.stop,
      () => https.close(),
      () => mails.close(),
    )
    environment = {
      ROLES: 'proxy,api,worker',
      DATA_DIR: folder,
      POSTGRES_URL: `${postgres.url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full`,
      REDIS_STATE_URL: `rediss://127.0.0.1:${redisPort}/0`,
      REDIS_QUEUE_URL: `rediss://127.0.0.1:${redisPort}/1`,
      CLICKHOUSE_URL: `https://127.0.0.1:${httpsPort}`,
      MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
      SESSION_SECRET: 'a secret of at least thirty-two characters',
      LOG_LEVEL: 'silent',
    }
  }, 60_000)

  const trusting = (which: 'right' | 'wrong') => ({
    ...environment,
    NODE_EXTRA_CA_CERTS: join(folder, which, 'authority.pem'),
  })

  async function start(which: 'right' | 'wrong') {
    const port = await findFreePort()
    const env = { ...trusting(which), PORT: String(port) }
    const service = createNodeProcess('service', 'services/main.ts', { env, ready: () => isAlive(port) })
    cleanUps.push(service.kill)
    await service.start()
    return async () => (await fetch(`http://127.0.0.1:${port}/startupz`)).json()
  }

  test('all roles work with NODE_EXTRA_CA_CERTS', async () => {
    await execa(process.execPath, ['services/migrate.ts'], { cwd: root, env: trusting('right') })
    await expect.poll(await start('right')).toEqual({ status: 'ok', problems: [] })
  })

  test('a store is not used that another authority vouches for, and each of them is named', async () => {
    const names = ['postgres', 'redis-state', 'redis-queue', 'clickhouse']
    const problems = names.map((name) =>
      expect.stringMatching(new RegExp(`^${name} cannot be used.*; the log says why.$`)),
    )
    await expect.poll(await start('wrong')).toEqual({ status: 'starting', problems: expect.arrayContaining(problems) })
  })

  test.each([
    ['right', /^verified\nverified$/],
    ['wrong', /^\w*(?:CERT|SIGNATURE|ISSUER)\w*\n.*certificate/],
  ] as const)(
    'verify-full of a Postgres that is named by its address, and a mail server, with the %s authority',
    async (which, printed) => {
      const url = environment['POSTGRES_URL']!.replace('localhost', '127.0.0.1')
      const script = `import { openMailbox } from '#core/stores/mailbox.ts'
      import { openPostgres } from '#core/stores/postgres.ts'
      const sql = openPostgres({ postgresUrl: '${url}' }, 'test')
      await sql\`select 1\`.then(() => console.log('verified'), ({ code }) => console.log(code))
      await sql.end()
      await (await openMailbox('${smtpUrl}')).verify().then(() => console.log('verified'), ({ message }) => console.log(message))`
      const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: root,
        env: trusting(which),
      })
      expect(stdout).toMatch(printed)
    },
  )
})
