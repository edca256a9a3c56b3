import { readFile, stat } from 'node:fs/promises'
import { platform, userInfo } from 'node:os'
import { findCommand } from '#tools/process/find-command.ts'
import { outputOf } from '#tools/process/output-of.ts'
import { StartFailure } from '#tools/process/start-failure.ts'

export interface PostgresOwner {
  /** The owner of the data; undefined for the current user. */
  ids: { uid: number; gid: number } | undefined
  /** @returns the command that runs a program as that user */
  wrap(program: string, args: string[]): { command: string; args: string[] }
}

/** Bits of the kernel's capability sets. */
const capabilities = [
  { name: 'dac_read_search', bit: 2n },
  { name: 'dac_override', bit: 1n },
]

/**
 * Postgres does not run as root, so root runs it as the owner of its data: `postgres`, else `nobody`. One capability
 * lets these users enter a clone in a private directory such as /root.
 */
export async function findPostgresOwner(postgresDir: string): Promise<PostgresOwner> {
  if (userInfo().uid !== 0) return { ids: undefined, wrap: (command, args) => ({ command, args }) }
  const setpriv = findCommand(['setpriv'])
  const capability = platform() === 'linux' ? await usableCapability() : undefined
  if (!setpriv || !capability)
    throw new StartFailure(
      'Postgres does not run as root, and this system offers no way to run it as another user (setpriv of util-linux).\n' +
        'Start Sallyport as an ordinary user, or point it to a server of yours: POSTGRES_URL=postgres://… npm start',
    )
  const ids = (await ownerOf(postgresDir)) ?? (await lookUp('postgres')) ?? (await lookUp('nobody'))
  if (!ids) throw new StartFailure('Postgres does not run as root, and there is no user named postgres or nobody.')
  const options = [
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    // Otherwise access(2) ignores an ordinary user's capabilities.
    '--securebits=+no_setuid_fixup',
    ...['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+${capability}`),
  ]
  return { ids, wrap: (program, args) => ({ command: setpriv, args: [...options, '--', program, ...args] }) }
}

async function usableCapability(): Promise<string | undefined> {
  const status = await readFile('/proc/self/status', 'utf8')
  const bounding = BigInt(`0x${/^CapBnd:\s*(\w+)/m.exec(status)?.[1] ?? '0'}`)
  return capabilities.find(({ bit }) => (bounding >> bit) & 1n)?.name
}

async function ownerOf(folder: string): Promise<PostgresOwner['ids']> {
  const found = await stat(folder).catch(() => undefined)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

async function lookUp(user: string): Promise<PostgresOwner['ids']> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => outputOf('id', [flag, user])))
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}
