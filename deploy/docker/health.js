/**
 * Checks that the process on PORT responds with a success at `/readyz` or another path; retries for that many seconds:
 * `health.js [path] [seconds]`.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const [path = '/readyz', seconds = '0'] = process.argv.slice(2)
const deadline = Date.now() + Number(seconds) * 1_000

while (!(await responds()) && Date.now() < deadline) await sleep(500)

async function responds() {
  try {
    const response = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, { signal: AbortSignal.timeout(4_000) })
    console.log(await response.text())
    process.exitCode = response.ok ? 0 : 1
    return response.ok
  } catch (error) {
    console.error(error.cause?.message ?? error.message)
    process.exitCode = 1
    return false
  }
}
