import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes a compressed copy of each text file, so that the API need not compress it for every request. */
export function gzippedFiles(): Plugin {
  return {
    name: 'gzipped-files',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => /\.(?:html|js|css)$/.test(file))) {
        const path = join(dir, name)
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
      }
    },
  }
}
