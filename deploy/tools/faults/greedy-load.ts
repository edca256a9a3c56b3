/**
 * `greedy-load.ts <port> <url> <token>`: one account's load on that URL until it is stopped, and on that port its
 * provider, which never answers. What is measured beside it does no part of either.
 */
import { createServer } from 'node:http'
import process from 'node:process'
import { Load } from '#tools/load/load.ts'

/** As many as the gateway allows one account; the rest is rejected at the lowest cost. */
const mostUnderWay = 1_000

const [port = '', url = '', token = ''] = process.argv.slice(2)
let underWay = 0
createServer((request, response) => {
  request.resume()
  if (underWay === mostUnderWay) return void response.writeHead(429).end()
  underWay += 1
  response.on('close', () => (underWay -= 1))
}).listen(Number(port), '127.0.0.1')
const load = new Load({ url, token, rate: 500, name: 'row28-greedy', connections: 2_000 })
process.once('SIGTERM', async () => {
  await load.abandon()
  process.exit()
})
