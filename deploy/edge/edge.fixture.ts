import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { startChild } from '#tools/process/child.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { findFreePort } from '#tools/process/free-port.ts'

interface Ports {
  http: number
  https: number
  proxy: number
  api: number
}

/** An example configuration of this folder, and how to run it with one writable folder. */
export interface Example {
  name: 'nginx' | 'caddy'
  program: string | undefined
  file: string
  /** Replaces ports and certificate. */
  adapt(text: string, ports: Ports, dir: string): string
  check: string[]
  run: string[]
}

/** Nothing listens on the second proxy's port, as during a restart. */
const backends = (text: string, { proxy, api }: Ports) =>
  text.replaceAll(':3001', `:${proxy}`).replaceAll(':3002', ':1').replaceAll(':3100', `:${api}`)

export const examples: Example[] = [
  {
    name: 'nginx',
    program: findCommand(['nginx']),
    file: 'nginx.conf',
    adapt: (text, ports, dir) => `
      daemon off;
      pid ${dir}/pid;
      error_log stderr;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`).join('\n')}
        ${backends(text, ports)
          .replaceAll(/listen \[::\].*/g, '')
          .replaceAll('listen 80;', `listen 127.0.0.1:${ports.http};`)
          .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.https} `)
          .replaceAll('/etc/letsencrypt/live/sallyport.example.com', dir)}
      }`,
    check: ['-t', '-e', 'stderr', '-c'],
    run: ['-e', 'stderr', '-c'],
  },
  {
    name: 'caddy',
    program: findCommand(['caddy']),
    file: 'Caddyfile',
    adapt: (text, ports, dir) => `
      {
        admin off
        http_port ${ports.http}
        https_port ${ports.https}
        servers {
          protocols h1 h2
        }
      }
      ${backends(text, ports).replace(
        'sallyport.example.com {',
        `sallyport.example.com {\n  bind 127.0.0.1\n  tls ${dir}/fullchain.pem ${dir}/privkey.pem`,
      )}`,
    check: ['validate', '--adapter', 'caddyfile', '--config'],
    run: ['run', '--adapter', 'caddyfile', '--config'],
  },
]

/** Checks an example and runs it. @returns the port for HTTPS */
export async function startEdge(
  { name, program, file, adapt, check, run }: Example,
  backendPorts: Pick<Ports, 'proxy' | 'api'>,
) {
  const dir = mkdtempSync(join(tmpdir(), `sallyport-${name}-`))
  const ports = { ...backendPorts, http: await findFreePort(), https: await findFreePort() }
  const subject = ['-subj', '/CN=sallyport.example.com', '-addext', 'subjectAltName=DNS:sallyport.example.com']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc']
  const files = ['-keyout', join(dir, 'privkey.pem'), '-out', join(dir, 'fullchain.pem')]
  await execa('openssl', ['req', '-x509', '-days', '2', ...key, ...subject, ...files])
  mkdirSync(join(dir, 'home'))
  const config = join(dir, file)
  writeFileSync(config, adapt(readFileSync(join(import.meta.dirname, file), 'utf8'), ports, dir))
  const env = { ...process.env, HOME: join(dir, 'home') }
  await execa(program!, [...check, config], { env })
  const said: string[] = []
  const child = startChild({
    name,
    command: program!,
    args: [...run, config],
    env,
    onLine: (line) => void said.push(line),
  })
  await child.waitUntilReady({ ready: () => isListening(ports.https), readyWithinMs: 20_000 })
  return {
    port: ports.https,
    lastWords: () => said.slice(-10).join('\n'),
    async stop() {
      await child.stop({ stopSignal: 'SIGTERM', stopWithinMs: 5_000 })
      rmSync(dir, { recursive: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
