import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartFailure } from '#tools/process/start-failure.ts'

const Secrets = z.object({
  masterKeys: z.string(),
  sessionSecret: z.string(),
  postgresPassword: z.string(),
  redisPassword: z.string(),
  demoPassword: z.string(),
})
export type Secrets = z.infer<typeof Secrets>

const advice =
  "Without its keys the stored data can't be read: restore the file, or start with a new directory: DATA_DIR=… npm start"

/** Reads the secrets of a data directory; the first start creates them with mode 0600. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartFailure(`Can't read ${file}: ${error.message}`, { cause: error })
  })
  if (text === undefined) {
    if (!existsSync(join(dataDir, 'postgres'))) return create(file)
    throw new StartFailure(`${file} is missing, but there is data that can only be used with it. ${advice}`)
  }
  try {
    return Secrets.parse(JSON.parse(text))
  } catch (error) {
    throw new StartFailure(`${file} is damaged. ${advice}`, { cause: error })
  }
}

async function create(file: string): Promise<Secrets> {
  const secrets: Secrets = {
    masterKeys: `1:${randomBytes(32).toString('base64')}`,
    sessionSecret: randomBytes(32).toString('base64url'),
    postgresPassword: randomBytes(24).toString('base64url'),
    redisPassword: randomBytes(24).toString('base64url'),
    demoPassword: randomBytes(9).toString('base64url'),
  }
  // Written to another file and renamed, so that an interrupted start leaves no partial file.
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return secrets
}
