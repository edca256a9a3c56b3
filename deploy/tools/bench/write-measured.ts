import { root } from '#tools/root.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

const document = 'deploy/docs/measured.md'
const path = join(root, document)

/** Parts of the document written by commands. */
export const measuredParts = ['proxy', 'profile', 'pipeline', 'analytics', 'screens', 'stack', 'faults'] as const
type MeasuredPart = (typeof measuredParts)[number]

/** Replaces the result between its part's markers. @throws Error without markers */
export function withResult(text: string, part: MeasuredPart, result: string): string {
  const [from, to] = [`<!-- bench:${part} -->`, `<!-- /bench:${part} -->`]
  const [start, end] = [text.indexOf(from), text.indexOf(to)]
  if (start === -1 || end < start)
    throw new Error(`${document} has no place for the result: put ${from} and ${to} into it.`)
  return `${text.slice(0, start + from.length)}\n\n${result}\n\n${text.slice(end)}`
}

/** Writes a result into deploy/docs/measured.md. @returns a message for the user */
export async function writeMeasured(part: MeasuredPart, result: string): Promise<string> {
  await writeFile(path, withResult(await readFile(path, 'utf8'), part, result))
  await execa('oxfmt', [path], { preferLocal: true, localDir: root })
  return `The result is in ${document}.`
}
