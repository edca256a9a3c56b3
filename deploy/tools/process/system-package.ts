import { userInfo } from 'node:os'
import { findCommand } from './find-command.ts'
import { StartFailure } from './start-failure.ts'
import type { Supervisor } from './supervisor.ts'

/** What a package is called where. */
export interface SystemPackage {
  apt: string
  dnf: string
  apk: string
  brew: string
}

interface Installer {
  name: keyof SystemPackage
  needsRoot: boolean
  commands: (packageName: string) => string[][]
}

const installers: Installer[] = [
  {
    name: 'apt',
    needsRoot: true,
    commands: (name) => [
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', name],
    ],
  },
  { name: 'dnf', needsRoot: true, commands: (name) => [['dnf', 'install', '-y', name]] },
  { name: 'apk', needsRoot: true, commands: (name) => [['apk', 'add', name]] },
  { name: 'brew', needsRoot: false, commands: (name) => [['brew', 'install', ...name.split(' ')]] },
]

/**
 * Installs a package of the operating system.
 * @throws StartFailure with the exact command for a person, when this user may not
 */
export async function installSystemPackage(
  what: string,
  names: SystemPackage,
  run: Supervisor['run'],
  { isRoot = userInfo().uid === 0 } = {},
): Promise<void> {
  const installer = installers.find(({ commands }) => findCommand([commands('')[0]![0]!]))
  if (!installer)
    throw new StartFailure(`${what} is missing and there is no apt-get, dnf, apk or brew to install it with.`)
  const commands = installer.commands(names[installer.name])
  if (installer.needsRoot && !isRoot) {
    const last = commands.at(-1)!.filter((word) => !word.startsWith('-'))
    throw new StartFailure(`${what} is missing. Install it, then start again:\n\n  sudo ${last.join(' ')}\n`)
  }
  for (const [command, ...args] of commands) {
    await run({
      name: [command, ...args].join(' '),
      command: command!,
      args,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
}
