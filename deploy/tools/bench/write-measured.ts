import { root } from '#tools/root.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

const document = 'deploy/docs/measured.md'
const path = join(root, document)

/** What is measured and has a place in the document. */
export const measuredParts = ['proxy', 'pipeline', 'analytics', 'screens', 'faults'] as const
type MeasuredPart = (typeof measuredParts)[number]

/** Puts a result between the marks of its part, in the place of the one that stood there. @throws Error without marks */
export function withResult(text: string, part: MeasuredPart, result: string): string {
  const [from, to] = [`<!-- bench:${part} -->`, `<!-- /bench:${part} -->`]
  const [start, end] = [text.indexOf(from), text.indexOf(to)]
  if (start === -1 || end < start)
    throw new Error(`${document} has no place for the result: put ${from} and ${to} into it.`)
  return `${text.slice(0, start + from.length)}\n\n${result}\n\n${text.slice(end)}`
}

/** Puts a result into deploy/docs/measured.md. @returns what to tell the person */
export async function writeMeasured(part: MeasuredPart, result: string): Promise<string> {
  await writeFile(path, withResult(await readFile(path, 'utf8'), part, result))
  await execa('oxfmt', [path], { preferLocal: true, localDir: root })
  return `The result is in ${document}.`
}
