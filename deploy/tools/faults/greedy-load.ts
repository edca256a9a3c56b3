/**
 * `greedy-load.ts <port> <url> <token>`: sends one account's load to the URL until it is stopped, and runs its
 * provider, which never responds, on the port. A separate process, so that it does not slow down the measuring client.
 */
import { createServer } from 'node:http'
import process from 'node:process'
import { Load } from '#tools/load/load.ts'

/** The gateway's limit for one account; it rejects the rest immediately. */
const maxOpen = 1_000

const [port = '', url = '', token = ''] = process.argv.slice(2)
let open = 0
createServer((request, response) => {
  request.resume()
  if (open === maxOpen) return void response.writeHead(429).end()
  open += 1
  response.on('close', () => (open -= 1))
}).listen(Number(port), '127.0.0.1')
const load = new Load({ url, token, rate: 500, name: 'row28-greedy', connections: 2_000 })
process.once('SIGTERM', async () => {
  await load.abandon()
  process.exit()
})
