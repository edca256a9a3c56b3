import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** @returns what a program prints, without its last line end; undefined if it fails */
export async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  const result = await run(program, args, { maxBuffer: Infinity }).catch(() => undefined)
  return result?.stdout.trimEnd()
}
