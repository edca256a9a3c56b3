/** The image's health check: whether the process of this container has started and can serve; or another path. */
import process from 'node:process'

const path = process.argv[2] ?? '/readyz'
const response = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, { signal: AbortSignal.timeout(4_000) })
console.log(await response.text())
process.exit(response.ok ? 0 : 1)
