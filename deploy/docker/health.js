/** The image's health check: whether the process of this container answers. What it needs is told by `/readyz`. */
import process from 'node:process'

const path = process.argv[2] ?? '/healthz'
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, { signal: AbortSignal.timeout(4_000) })
console.log(await answer.text())
process.exit(answer.ok ? 0 : 1)
