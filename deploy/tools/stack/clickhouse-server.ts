/**
 * A ClickHouse server for tests: chDB behind the HTTP protocol of `@clickhouse/client`, so that several processes can
 * share the store, and connections to it can fail. Usage: node clickhouse-server.ts PORT DATA_DIR
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { join, resolve } from 'node:path'
import { createChdbConnection } from 'chdb/connection'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf, messageOf } from '#core/errors.ts'
import { sessionPool } from '#core/stores/session-pool.ts'

const [port, dataDir = ''] = process.argv.slice(2)
const path = resolve(dataDir)
mkdirSync(path, { recursive: true })
// The engine reads this file from its working directory; without it, BACKUP can't write to a file.
writeFileSync(join(path, 'config.xml'), '<clickhouse><backups><allowed_path>/</allowed_path></backups></clickhouse>')
process.chdir(path)
const sessions = Array.from({ length: 4 }, () => createChdbConnection({ path }))
const connection = sessionPool(sessions, Number.POSITIVE_INFINITY)

/** URL parameters that are not query settings. */
const notSettings = new Set(['query', 'query_id', 'database', 'session_id', 'wait_end_of_query'])

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  const body = (await buffer(request)).toString()
  const inUrl = url.searchParams.get('query')
  const settings: Record<string, string> = {}
  const params: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) params[name.slice('param_'.length)] = value
    else if (!notSettings.has(name)) settings[name] = value
  }
  try {
    const { stream } = await connection.exec({
      query: inUrl ?? body,
      values: inUrl === null ? undefined : Readable.from([body]),
      query_params: params,
      clickhouse_settings: settings,
    })
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    await pipeline(stream, response)
  } catch (error) {
    if (response.headersSent) return void response.destroy()
    const code = codeOf(error) ?? '0'
    const type = error instanceof Error && 'type' in error ? String(error.type) : 'UNKNOWN'
    response.writeHead(500, { 'x-clickhouse-exception-code': code })
    response.end(`Code: ${code}. DB::Exception: ${messageOf(error)}. (${type})`)
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy())
})
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))

process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void connection.close().then(() => process.exit(0))
})
