import { userInfo } from 'node:os'
import { findCommand } from './find-command.ts'
import { StartFailure } from './start-failure.ts'
import type { Supervisor } from './supervisor.ts'

/** A package's name in each package manager. */
interface SystemPackage {
  apt: string
  dnf: string
  apk: string
  brew: string
}

interface Installer {
  name: keyof SystemPackage
  program: string
  needsRoot: boolean
  /** The arguments of each call of the program. */
  calls: (packageName: string) => string[][]
}

const installers: Installer[] = [
  {
    name: 'apt',
    program: 'apt-get',
    needsRoot: true,
    calls: (name) => [['update'], ['install', '-y', '--no-install-recommends', name]],
  },
  { name: 'dnf', program: 'dnf', needsRoot: true, calls: (name) => [['install', '-y', name]] },
  { name: 'apk', program: 'apk', needsRoot: true, calls: (name) => [['add', name]] },
  { name: 'brew', program: 'brew', needsRoot: false, calls: (name) => [['install', ...name.split(' ')]] },
]

/**
 * Finds a program, or installs the operating system's package with it.
 * @returns its path
 * @throws StartFailure with the command to run, when this user may not install packages
 */
export async function findOrInstall(
  what: string,
  find: () => string | undefined,
  names: SystemPackage,
  run: Supervisor['run'],
): Promise<string> {
  const installed = find()
  if (installed) return installed
  await install(what, names, run)
  const program = find()
  if (!program) throw new StartFailure(`${what} was installed, but it is not on the PATH.`)
  return program
}

async function install(what: string, names: SystemPackage, run: Supervisor['run']): Promise<void> {
  const installer = installers.find(({ program }) => findCommand([program]))
  if (!installer)
    throw new StartFailure(`${what} is missing and there is no apt-get, dnf, apk or brew to install it with.`)
  const { program } = installer
  const calls = installer.calls(names[installer.name])
  if (installer.needsRoot && userInfo().uid !== 0) {
    const last = [program, ...(calls.at(-1) ?? [])].filter((word) => !word.startsWith('-'))
    throw new StartFailure(`${what} is missing. Install it, then start again:\n\n  sudo ${last.join(' ')}\n`)
  }
  for (const args of calls) {
    await run({
      name: [program, ...args].join(' '),
      command: program,
      args,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
}
