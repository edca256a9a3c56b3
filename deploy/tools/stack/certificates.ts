import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** Paths of PEM files. */
export interface Certificate {
  cert: string
  key: string
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']

export async function createAuthority(folder: string): Promise<Certificate> {
  await mkdir(folder)
  // Stores run as other users.
  await chmod(folder, 0o755)
  return makeCertificate(folder, 'authority', ['-subj', '/CN=Test authority'])
}

const forThisMachine = [
  '-addext',
  'subjectAltName=DNS:localhost,IP:127.0.0.1',
  '-addext',
  'basicConstraints=critical,CA:FALSE',
]

export const createServerCertificate = (folder: string, authority: Certificate): Promise<Certificate> =>
  makeCertificate(folder, 'server', [
    '-subj',
    '/CN=Test server',
    '-CA',
    authority.cert,
    '-CAkey',
    authority.key,
    ...forThisMachine,
  ])

async function makeCertificate(folder: string, name: string, options: string[]): Promise<Certificate> {
  const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
  await execa('openssl', ['req', '-x509', ...newKey, ...options, '-keyout', files.key, '-out', files.cert])
  return files
}
