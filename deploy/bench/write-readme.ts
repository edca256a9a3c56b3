import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const readme = join(import.meta.dirname, '../../README.md')

/**
 * Replaces what stands between the markers of a part.
 * @returns what to tell the person: whether it was written, and if not, why
 */
export async function writeReadme(part: string, text: string): Promise<string> {
  const [from, to] = [`<!-- bench:${part} -->`, `<!-- /bench:${part} -->`]
  const old = await readFile(readme, 'utf8').catch(() => undefined)
  if (old === undefined) return 'There is no README.md to write to.'
  const [start, end] = [old.indexOf(from), old.indexOf(to)]
  if (start === -1 || end < start) return `README.md has no place for the table: put ${from} and ${to} into it.`
  await writeFile(readme, `${old.slice(0, start + from.length)}\n\n${text}\n\n${old.slice(end)}`)
  return 'The table is in README.md.'
}
