/**
 * Generates the secrets of an installation; keeps those of a complete folder: `make-secrets.js <folder>`. No store sees
 * another's password: `app/` has one file per variable, `admin/` only the variables of the migrations, and each other
 * folder the files that its server reads.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const folder = process.argv[2]
if (!folder) {
  console.error('Usage: make-secrets.js <folder>')
  process.exit(1)
}
const marker = join(folder, 'app/complete')
const password = () => randomBytes(24).toString('base64url')
const user = 'sallyport'
if (existsSync(marker)) {
  separateAdmin()
  console.log(`The secrets in ${folder} stay as they are.`)
  process.exit()
}

const postgres = password()
const redisState = password()
const redisQueue = password()
const clickhouse = password()

write('app/MASTER_KEYS', `1:${randomBytes(32).toString('base64')}`)
write('app/SESSION_SECRET', randomBytes(32).toString('base64url'))
write('app/POSTGRES_URL', `postgres://${user}:${postgres}@postgres:5432/${user}`)
separateAdmin()
write('app/REDIS_STATE_URL', `redis://:${redisState}@redis-state:6379`)
write('app/REDIS_QUEUE_URL', `redis://:${redisQueue}@redis-queue:6379`)
write('app/CLICKHOUSE_URL', `http://${user}:${clickhouse}@clickhouse:8123/default`)
write('postgres/password', postgres)
for (const [name, secret] of [
  ['state', redisState],
  ['queue', redisQueue],
]) {
  write(`redis/${name}`, secret)
  write(`redis/${name}.conf`, `requirepass ${secret}\n`)
}
write('clickhouse/users.xml', clickhouseUsers(clickhouse))
write('grafana/password', password())
write('app/complete', '')
console.log(`New secrets are in ${folder}. Back them up: without MASTER_KEYS the stored provider keys can't be read.`)

/**
 * The initial user of Postgres is a superuser, for the migrations only; they create another one for the services.
 * Earlier releases gave the initial user to the services.
 */
function separateAdmin() {
  const url = new URL(readFileSync(join(folder, 'app/POSTGRES_URL'), 'utf8'))
  if (url.host !== 'postgres:5432' || url.username !== user) return
  write('admin/POSTGRES_ADMIN_URL', url.href)
  write('app/POSTGRES_URL', `postgres://${user}_app:${password()}@${url.host}${url.pathname}`)
}

/** The stores run as other users, and mount only their own folder. */
function write(name, text) {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  // A file left by an interrupted run is not writable.
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: /^(?:app|admin)\//.test(name) ? 0o400 : 0o444 })
}

/** Replaces the user `default`, which has no password. */
function clickhouseUsers(secret) {
  const hash = createHash('sha256').update(secret).digest('hex')
  return `<clickhouse>
  <users>
    <default remove="remove"/>
    <${user}>
      <password_sha256_hex>${hash}</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <access_management>0</access_management>
    </${user}>
  </users>
</clickhouse>
`
}
