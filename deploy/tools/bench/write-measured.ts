import { root } from '#tools/root.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

const readme = join(root, 'README.md')

/** What is measured and has a place in README.md. */
export const measuredParts = ['proxy', 'pipeline', 'analytics', 'screens', 'faults'] as const
type ReadmePart = (typeof measuredParts)[number]

/** Puts a result between the marks of its part, in the place of the one that stood there. @throws Error without marks */
export function withResult(text: string, part: ReadmePart, result: string): string {
  const [from, to] = [`<!-- bench:${part} -->`, `<!-- /bench:${part} -->`]
  const [start, end] = [text.indexOf(from), text.indexOf(to)]
  if (start === -1 || end < start)
    throw new Error(`README.md has no place for the result: put ${from} and ${to} into it.`)
  return `${text.slice(0, start + from.length)}\n\n${result}\n\n${text.slice(end)}`
}

/** Puts a result into README.md. @returns what to tell the person */
export async function writeMeasured(part: ReadmePart, result: string): Promise<string> {
  await writeFile(readme, withResult(await readFile(readme, 'utf8'), part, result))
  await execa('oxfmt', [readme], { preferLocal: true, localDir: root })
  return 'The result is in README.md.'
}
