/**
 * `node deploy/tools/scaling/measure-tls.ts`: a client's CPU time for a TLS handshake with a provider (TLS 1.3, P-256),
 * µs, with a new and a resumed session.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { listenLocally } from '#tools/process/listen.ts'
import { createAuthority, createServerCertificate } from '#tools/stack/certificates.ts'

const handshakes = 2_000
const warmUp = 500

const [key, cert] = process.argv.slice(2)
if (process.send && key && cert) await serve(key, cert)
else await measure()

async function serve(keyFile: string, certFile: string): Promise<void> {
  const server = createServer({ key: await readFile(keyFile), cert: await readFile(certFile) }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.end('.')
  })
  process.send?.(await listenLocally(server))
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-tls-'))
  const authority = await createAuthority(join(folder, 'authority'))
  const server = await createServerCertificate(join(folder, 'authority'), authority)
  const child = fork(import.meta.filename, [server.key, server.cert])
  const [port] = (await once(child, 'message')) as [number]
  const ca = await readFile(authority.cert)
  let session: Buffer | undefined

  async function shakeHands(resumes: boolean): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', ca, ...(resumes && session && { session }) })
    socket.on('session', (ticket) => (session = ticket))
    socket.resume()
    await once(socket, 'close')
  }

  for (const resumes of [false, true]) {
    for (let nth = 0; nth < warmUp; nth += 1) await shakeHands(resumes)
    const before = process.cpuUsage()
    for (let nth = 0; nth < handshakes; nth += 1) await shakeHands(resumes)
    const { user, system } = process.cpuUsage(before)
    console.log(`${resumes ? 'resumed' : 'full'}: ${((user + system) / handshakes).toFixed(0)} µs of CPU a handshake`)
  }
  child.kill()
  await rm(folder, { recursive: true })
}
