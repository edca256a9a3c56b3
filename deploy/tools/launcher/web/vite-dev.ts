import { root } from '#tools/root.ts'
import { join } from 'node:path'
import { createServer } from 'vite'

const [port, gatewayUrl = ''] = process.argv.slice(2)

const server = await createServer({
  configFile: join(root, 'web/vite.config.ts'),
  server: { host: '127.0.0.1', port: Number(port), strictPort: true, proxy: { '/api': gatewayUrl } },
})
await server.listen()
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
process.stdout.write('ready\n')
