import { readFileSync } from 'node:fs'
import { secretVariables } from './secrets.ts'

/**
 * Replaces each `<variable>_FILE` by the secret in that file, without spaces and line breaks around it. Empty counts as
 * unset.
 */
export function readSecretFiles(env: NodeJS.ProcessEnv) {
  const values = Object.fromEntries(Object.entries(env).filter(([, given]) => given !== ''))
  const problems: string[] = []
  for (const name of secretVariables) {
    const path = values[`${name}_FILE`]
    if (path === undefined) continue
    delete values[`${name}_FILE`]
    if (values[name] !== undefined) problems.push(`${name}_FILE: is set beside ${name}; only one of them can be`)
    else {
      try {
        values[name] = readFileSync(path, 'utf8').trim()
      } catch {
        problems.push(`${name}_FILE: got ${JSON.stringify(path)}; the file cannot be read`)
      }
    }
  }
  return { values, problems }
}
