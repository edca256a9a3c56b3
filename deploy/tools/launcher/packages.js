import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const quiet = ['--include=dev', '--loglevel=error', '--no-audit', '--no-fund']

/**
 * Installs the packages of package-lock.json with `npm ci`. If that rejects the lock file because the registry lacks
 * packages for other platforms, uses `npm install` without changing the lock file.
 * @param folder has a package-lock.json
 * @param onStart gets each npm process, to forward signals to
 * @throws Error with npm's last output and what to do
 */
export async function installPackages(folder, onStart) {
  const first = await runNpm(folder, ['ci', ...quiet], onStart)
  if (first.succeeded) return
  const { succeeded, said } = first.said.includes('EUSAGE')
    ? await runNpm(folder, ['install', '--no-save', ...quiet], onStart)
    : first
  if (!succeeded) throw new Error(`${said}\n\nThe packages could not be installed. ${hint(said, folder)}`)
}

function runNpm(folder, args, onStart) {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command, ...rest] = [...npm, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    onStart(child)
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    child.once('error', (error) =>
      reject(new Error(`npm does not run (${error.message}). Install Node.js with npm first.`)),
    )
    child.once('close', (code) => resolve({ succeeded: code === 0, said: Buffer.concat(output).toString().trim() }))
  })
}

function hint(said, folder) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET/.test(said))
    return 'The package registry is out of reach: check the network or the proxy settings of npm.'
  if (/EACCES|EPERM|EROFS/.test(said)) return `This user may not write to ${folder}/node_modules.`
  return 'What npm said is above.'
}

/** @returns whether a folder's node_modules match its package-lock.json */
export function packagesAreInstalled(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(join(folder, 'node_modules/.package-lock.json'))
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    // npm omits optional packages for other platforms.
    return found ? found.version === version && found.integrity === integrity : optional === true
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
