import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { readConfig } from '../config.ts'

const keys = ['first', 'second'].map((text) => Buffer.alloc(32, text).toString('base64'))
const zeros = Buffer.alloc(32).toString('base64')
const complete = {
  POSTGRES_URL: 'postgres://user:word@127.0.0.1/sallyport',
  REDIS_STATE_URL: 'redis://127.0.0.1:6379',
  REDIS_QUEUE_URL: 'redis://127.0.0.1:6380',
  SESSION_SECRET: 'x'.repeat(32),
  MASTER_KEYS: `1:${keys[0]}`,
}

/** Values that an operator may set by mistake, by variable; an empty one counts as unset. */
const wrong: Record<string, readonly string[]> = {
  ROLES: [' , ', 'proxies', 'proxy;api', 'proxy worker', 'proxy,', 'proxy,proxy', 'api,,worker'],
  HOST: ['http://127.0.0.1', '127.0.0.1:3000', 'my host', '300', '::g', '256.1.1.1', '127.1', '-host'],
  PORT: ['0', '65536', '3e3', '0x10', '80.5', '-1', 'http', ' 80', '080', '1e99', '3000,'],
  PROXY_PROCESSES: ['0', '257', 'auto', '1.5'],
  DRAIN_SECONDS: ['-1', '1h', '3601', '60s'],
  DRAIN_DELAY_SECONDS: ['601', '5s'],
  API_URL: [
    '127.0.0.1:3100',
    'ftp://api',
    'http://',
    'http://api?x=1',
    'http:// api',
    'http:/api',
    'http:api',
    'http://user:word@api',
    'http://api:0',
  ],
  PUBLIC_URL: [
    'gateway.example.com',
    'https://gateway.example.com/app',
    'wss://gateway',
    'https://gateway?x',
    'https://*.example.com',
  ],
  ALLOWED_HOSTS: ['https://a.example', 'a.example:443', 'a b', 'a.example,', '300.1.1.1'],
  CORS_ORIGINS: ['app.example.com', 'https://app.example.com/', '*', 'https://a.example,', 'https://*.example'],
  TRUSTED_PROXIES: ['10.0.0.0/33', 'ingress', 'true', '10.0.0', '10.0.0.0/8,'],
  DATA_DIR: ['/da\nta', '~/data', '$HOME/data', 'file:///data', ' /data', '/data ', ' '],
  POSTGRES_URL: [
    'mysql://127.0.0.1/x',
    'postgres',
    '127.0.0.1:5432',
    'postgres:///x',
    'http://127.0.0.1',
    'postgres://db:0/x',
    'postgres://db/x?sslmode=always',
    'postgres://db/x?ssl=maybe',
    'postgres://db/x?ssl=',
    'postgres://db/x?prepare=no',
    'postgres://u:%zz@db/x',
    'postgres://u:p#w@db/x',
    'postgres://u:p/w@db/x',
    'postgres://db/a/b',
    'postgres://db/x#y',
    '"postgres://db/x"',
    'postgres:/db/x',
  ],
  POSTGRES_ADMIN_URL: ['mysql://127.0.0.1/x', 'admin'],
  POSTGRES_POOL: ['0', '501', 'ten'],
  REDIS_STATE_URL: [
    'http://127.0.0.1',
    '127.0.0.1:6379',
    'redis+ring://127.0.0.1',
    'redis://127.0.0.1/state',
    'redis+sentinel://127.0.0.1',
    'redis://h/99999',
    'redis://h#1',
    'redis://h?x=1',
    'redis://h?db=1',
    'redis://h?family=5',
    'redis://h?family=6&keyPrefix=x',
    'redis+cluster://h/1',
    'redis+sentinel://h/m?sentinel=',
    'redis+sentinel://h/m?sentinels=h2:26379',
    'redis+sentinel://h/m?sentinel=h2:99999',
    'redis://u:%zz@h',
    'redis:/h',
  ],
  REDIS_QUEUE_URL: [
    'tcp://127.0.0.1',
    ',',
    'redis://127.0.0.1 redis://127.0.0.2',
    'redis://a,',
    'redis://a,,redis://b',
    'redis://a,redis://a',
    'redis+cluster://h/3',
    'redis://a,redis://b?x=1',
  ],
  QUEUE_SHARDS: ['0', '257', 'x'],
  QUEUE_REPLICAS: ['-1', '6'],
  CLICKHOUSE_URL: [
    'tcp://127.0.0.1:9000',
    '127.0.0.1:8123',
    'clickhouse://127.0.0.1',
    'http://h/db?x=1',
    'http://h/a/b',
    'http://u:%zz@h',
    'http://a,http://b',
    'http://h#x',
  ],
  LOG_ARCHIVE_URL: [
    '/archive',
    's3://bucket/logs',
    'file://archive',
    'https://bucket/logs?x=1',
    'bucket',
    'file:///a/../b',
    'https://bucket/a*b',
    'file:///{a}',
    'https://key@bucket/logs',
    'https://key:@bucket/logs',
    'https://:secret@bucket/logs',
  ],
  MASTER_KEYS: [
    ' , ',
    keys[0]!,
    `0:${keys[0]}`,
    `256:${keys[0]}`,
    `1:${keys[0]} 2:${keys[1]}`,
    `1:${keys[0]}\n2:${keys[1]}`,
    `1:${keys[0]};2:${keys[1]}`,
    `1:${keys[0]},1:${keys[1]}`,
    `1:${keys[0]!.slice(0, 22)}`,
    '1:secret',
    `1:${keys[0]},`,
    `,1:${keys[0]}`,
    `1:${keys[0]},,2:${keys[1]}`,
    `1:${keys[0]},2:${keys[0]}`,
    `1:${keys[0]!.slice(0, 42)}F=`,
    `1:${zeros}`,
    `1:${Buffer.alloc(32, 7).toString('base64')}`,
    `1:${keys[0]},2:${zeros},3:lost`,
  ],
  SESSION_SECRET: ['short', ' '.repeat(32), '\n'.repeat(40), `${'x'.repeat(31)} `],
  PROVIDER_BASE_URL: [
    'api.openai.com',
    'https://api.openai.com?key=1',
    'wss://api.openai.com',
    'http:/api.openai.com',
    'https://user:word@api.openai.com',
    'https://a,https://b',
    'https://api.openai.com:0',
  ],
  UPSTREAM_ALLOW_CIDRS: ['10.0.0.1', '10.0.0.0/40', 'private', '10.0.0.0/8,'],
  UPSTREAM_PROXY_URL: ['egress:3128', 'socks5://egress', 'http://egress:3128/path', 'http://u:%zz@egress'],
  UPSTREAM_NO_PROXY: ['http://models.lan', 'models.lan:8000', '*.models.lan', '.models.lan', 'models.lan,'],
  DNS_SERVERS: ['dns.example', '10.0.0.2:99999', '10.0.0.2:0', '10.0.0.2,', '10.0.0.2:053'],
  MAX_BODY_BYTES: ['1023', '100MB', '1e9', '9999999999999', '-1', '1e99', '100MiB', '1_000_000'],
  SPOOL_MAX_BYTES: ['1024', '2GiB', '-2147483648', '0x80000000'],
  CLICKHOUSE_CLUSTER: ['my cluster', 'a;b'],
  LOG_RETENTION_DAYS: ['0', '3651', '30d', '-1', '90,'],
  BODY_RETENTION_DAYS: ['0', '91', 'week'],
  ROLLUP_RETENTION_DAYS: ['0', '4000'],
  PLAN_LIMITS: ['free', '{"gratis":{}}', '[]', '{"free":{"requestsPerDay":-1}}'],
  MODEL_PRICES_FILE: ['/nowhere/prices.json'],
  ACCOUNT_LIMITS: ['{"requests":0}', '{"request":5}', '5', '{requests:5}'],
  PROCESS_LIMITS: ['{"tails":"5"}', 'null'],
  REGISTRATION: ['Open', 'true', 'off'],
  PAYPAL_CLIENT_ID: ['alone', ' '],
  PAYPAL_CLIENT_SECRET: ['alone'],
  PAYPAL_WEBHOOK_ID: ['alone', ' '],
  PAYPAL_API_URL: ['api.paypal.com', 'sandbox'],
  SALES_EMAIL: ['sales', 'sales@'],
  CONTACT_EMAIL: ['mailto:sales@example.com'],
  SMTP_URL: ['mail.example.com', 'http://mail.example.com', 'smtp://mail.example.com', 'smtp://h/x', 'smtp:h'],
  MAIL_FROM: ['Sallyport', 'a@b\nBcc: c@d', 'Sallyport <no-reply>'],
  METRICS_PORT: ['3000', '0', 'on'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['otel:4318', 'grpc://otel:4317'],
  OTEL_EXPORTER_OTLP_HEADERS: ['x-api-key', '=secret', 'a b=c', 'a=%E0%A4%A', 'x(y)=1', 'x-kéy=1', 'x=%0d%0ay', 'a=b,'],
  OTEL_SERVICE_NAME: [' '],
  OTEL_RESOURCE_ATTRIBUTES: ['production', 'a=1,b'],
  OTEL_TRACES_SAMPLER: ['on', 'jaeger_remote', '0.5'],
  OTEL_TRACES_SAMPLER_ARG: ['1.5', '-1', '10%', 'half'],
  LOG_LEVEL: ['verbose', 'INFO', '30'],
  OPERATORS: ['alice'],
}

const cases = Object.entries(wrong).flatMap(([name, values]) => values.map((value) => ({ name, value })))

test.each(cases)('$name=$value is rejected in one line', ({ name, value }) => {
  const failure = rejection({ ...complete, [name]: value })
  expect(failure).toMatch(new RegExp(`^The environment is not complete:\n {2}\\w+(?:\\.[\\w.]+)?: [^\n]+$`))
})

test.each(['ssl=true', 'ssl=verify-full', 'ssl=false&prepare=false'])('POSTGRES_URL with ?%s is accepted', (query) => {
  expect(rejection({ ...complete, POSTGRES_URL: `postgres://db/x?${query}` })).toBeUndefined()
})

test('credentials where none belong are not repeated', () => {
  expect(rejection({ ...complete, PROVIDER_BASE_URL: 'https://user:word-of-mouth@a' })).not.toContain('mouth')
})

test('all that is wrong is said at once, with what was given and what is wanted', () => {
  expect(
    rejection({ ...complete, PORT: '80x', LOG_LEVEL: 'loud', REDIS_STATE_URL: '' })
      ?.split('\n')
      .slice(1),
  ).toEqual([
    '  PORT: got "80x"; expected whole number from 1 to 65535',
    '  REDIS_STATE_URL: is not set; expected URL with redis://, rediss://, redis+cluster:// or redis+sentinel://',
    '  LOG_LEVEL: got "loud"; expected fatal, error, warn, info, debug, trace, silent',
  ])
})

test.each([
  ['POSTGRES_URL', 'mysql://user:word-of-mouth@db/x'],
  ['MASTER_KEYS', `${keys[0]} ${keys[1]}`],
  ['SESSION_SECRET', 'word-of-mouth'],
  ['SMTP_URL', 'word-of-mouth'],
])('%s is rejected without being repeated', (name, value) => {
  const failure = rejection({ ...complete, [name]: value })
  expect(failure).toContain(`(${value.length} characters); expected`)
  expect(failure).not.toContain('mouth')
  expect(failure).not.toContain(keys[0]!.slice(0, 8))
})

test('a secret is read from a file; not beside its variable, and not from one that is missing', async () => {
  const path = join(temporaryFolder(), 'keys')
  await writeFile(path, `7:${keys[1]}\n`)
  const { MASTER_KEYS: _, ...others } = complete
  expect([...readConfig({ ...others, MASTER_KEYS_FILE: path }).masterKeys.keys()]).toEqual([7])
  expect(rejection({ ...complete, MASTER_KEYS_FILE: path })).toContain('MASTER_KEYS_FILE: is set beside MASTER_KEYS')
  expect(rejection({ ...others, MASTER_KEYS_FILE: `${path}.no` })).toContain('the file cannot be read')
})

test('blank lines around the secret in a file do not count', async () => {
  const path = join(temporaryFolder(), 'secret')
  await writeFile(path, `${complete.SESSION_SECRET}\r\n\n`)
  const { SESSION_SECRET: secret, ...others } = complete
  expect(readConfig({ ...others, SESSION_SECRET_FILE: path }).sessionSecret).toBe(secret)
})

test('api and worker share the embedded ClickHouse only in one process', () => {
  for (const role of ['api', 'worker', 'proxy,worker'])
    expect(rejection({ ...complete, ROLES: role })).toContain('CLICKHOUSE_URL: needed where api and worker are not one')
  for (const role of ['proxy', 'api,worker']) expect(rejection({ ...complete, ROLES: role })).toBeUndefined()
  expect(rejection({ ...complete, ROLES: 'worker', CLICKHOUSE_URL: 'http://127.0.0.1:8123' })).toBeUndefined()
})

test('the value of a header for the collector may end with the padding of base64', () => {
  const { traces } = readConfig({
    ...complete,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20dXNlcjp3b3I=, x-key=k1',
  })
  expect(traces?.headers).toEqual({ Authorization: 'Basic dXNlcjp3b3I=', 'x-key': 'k1' })
})

function rejection(env: NodeJS.ProcessEnv): string | undefined {
  try {
    readConfig(env)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
