/**
 * Checks that the process on PORT responds with a success at `/readyz` or another path; retries for that many seconds:
 * `health.js [path] [seconds]`.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const [path = '/readyz', seconds = '0'] = process.argv.slice(2)
const { HOST = '', PORT } = process.env
// A process that listens on one address does not respond on another.
const host = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
const deadline = Date.now() + Number(seconds) * 1_000

while (!(await responds()) && Date.now() < deadline) await sleep(500)

async function responds() {
  try {
    const response = await fetch(`http://${host}:${PORT}${path}`, { signal: AbortSignal.timeout(4_000) })
    console.log(await response.text())
    process.exitCode = response.ok ? 0 : 1
    return response.ok
  } catch (error) {
    console.error(error.cause?.message ?? error.message)
    process.exitCode = 1
    return false
  }
}
