/**
 * Starts a script of the image: `start.js services/main.ts [arguments]`. Each file in the folders listed in SECRETS_DIR
 * becomes the variable of the same name, unless that is set: secrets come as files, but services read only variables.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const variableName = /^[A-Z][A-Z0-9_]*$/

for (const folder of process.env.SECRETS_DIR?.split(':') ?? []) {
  for (const name of namesIn(folder)) {
    // An empty variable counts as unset, as in the services.
    if (variableName.test(name)) process.env[name] ||= readFileSync(join(folder, name), 'utf8').trim()
  }
}

const [script, ...args] = process.argv.slice(2)
process.argv.splice(1, Infinity, resolve(script), ...args)
await import(pathToFileURL(resolve(script)).href)

function namesIn(path) {
  try {
    return readdirSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
