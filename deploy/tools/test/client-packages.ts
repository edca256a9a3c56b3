import { join } from 'node:path'
import { installPackages } from '#tools/launcher/install-packages.js'
import { packagesAreInstalled } from '#tools/launcher/installed-packages.js'
import { root } from '#tools/root.ts'

const folder = join(root, 'deploy/tools/clients')

let installed: Promise<void> | undefined

/** Installs the SDKs that only tests need, unless they are installed. Further calls wait for the same installation. */
export function installClientPackages(): Promise<void> {
  return (installed ??= packagesAreInstalled(folder) ? Promise.resolve() : installPackages(folder, () => undefined))
}
