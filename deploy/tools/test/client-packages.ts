import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installPackages, packagesAreInstalled } from '#tools/launcher/packages.js'
import { root } from '#tools/root.ts'

const folder = join(root, 'deploy/tools/clients')
const staging = join(root, 'node_modules/.cache/clients')

let installed: Promise<void> | undefined

/** Installs the SDKs that only tests need, unless they are installed. Further calls wait for the same installation. */
export const installClientPackages = (): Promise<void> => (installed ??= install())

async function install(): Promise<void> {
  if (packagesAreInstalled(folder)) return
  await mkdir(staging, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(folder, file), join(staging, file))
  await installPackages(staging, () => undefined)
  // Replaced in one step, because the linter reads packages in the meantime.
  await rm(join(folder, 'node_modules'), { recursive: true, force: true })
  await rename(join(staging, 'node_modules'), join(folder, 'node_modules'))
}
