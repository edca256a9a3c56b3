/**
 * Runs a script on the repository's own Node: `node deploy/tools/launcher/bootstrap.js <script.ts> [arguments]`.
 * `--settings=<file>` adds the variables of a file, if it exists. Works on Node 18 and later, and installs the packages
 * of a fresh clone first.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installPackages, packagesAreInstalled } from './packages.js'
import { createProgress } from '#tools/process/progress.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const node = join(root, 'node_modules/.bin/node')

let running
let stopAsked
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
// For the service, whose name `pgrep -f` finds in this process as well; by default, it would end Node.
process.on('SIGUSR2', () => {})
watchLauncher()

const [, settings] = /^--settings=(.+)$/.exec(process.argv[2]) ?? []
const [script, ...args] = process.argv.slice(settings === undefined ? 2 : 3)
if (!script) fail('Usage: node deploy/tools/launcher/bootstrap.js <script.ts> [arguments]')
if (!existsSync(node) || !packagesAreInstalled(root)) await preparePackages()

const exitWithParent = pathToFileURL(join(root, 'deploy/tools/process/exit-with-parent.js')).href
const variables = settings !== undefined && existsSync(settings) ? [`--env-file=${settings}`] : []
running = spawn(node, ['--import', exitWithParent, ...variables, script, ...args], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  // Reuses compiled code: it saves each process a second, and the memory of the type stripper.
  env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env },
})
running.once('error', (error) => fail(`Node from node_modules does not run: ${error.message}`))
running.once('exit', (code, signal) => process.exit(code ?? exitCode(signal)))

async function preparePackages() {
  try {
    await createProgress().step('Packages (npm)', () => installPackages(root, (npm) => (running = npm)))
  } catch (error) {
    if (!stopAsked) fail(error.message)
  }
  if (stopAsked) process.exit(exitCode(stopAsked))
}

function stop(signal) {
  stopAsked = signal
  running?.kill(signal)
}

/** Stops when the launching process is gone: npm forwards signals only to its shell, and may itself be killed. */
function watchLauncher() {
  if (!process.env.npm_lifecycle_event) return
  const launcher = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(timer)
    stop('SIGTERM')
  }, 200)
  timer.unref()
}

function exitCode(signal) {
  return 128 + constants.signals[signal]
}

function fail(message) {
  process.stderr.write(`\n${message}\n`)
  process.exit(1)
}
