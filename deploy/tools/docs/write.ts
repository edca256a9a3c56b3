/** `npm run docs`: writes the generated parts of documents. */
import { root } from '#tools/root.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { generated } from './generated.ts'

for (const [path, write] of Object.entries(generated)) {
  const file = join(root, path)
  await writeFile(file, write(await readFile(file, 'utf8')))
  await execa('oxfmt', [file], { preferLocal: true, localDir: root })
}
