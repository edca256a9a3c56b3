import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/** The modules that a page loads before it is shown, besides the entry. */
const pages: Record<string, readonly string[]> = {
  '/ signed out': ['/src/routes/index.tsx?tsr-split=', '/src/features/landing/landing-screen.tsx'],
  '/auth': ['/src/routes/auth.tsx?tsr-split='],
  '/ signed in': [
    '/src/routes/index.tsx?tsr-split=',
    '/src/routes/-signed-in/signed-in.tsx',
    '/src/routes/-home/dashboard.tsx',
  ],
}

/** Maximum JavaScript of each page, KB after gzip. */
const limitKb = 175

/** Fails a build whose first pages are too large, and logs the size of each. */
export function firstLoadBudget(): Plugin {
  return {
    name: 'first-load-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
      const entries = chunks.filter((chunk) => chunk.isEntry)
      for (const [page, modules] of Object.entries(pages)) {
        const roots = modules.map((module) => {
          const found = chunks.find((chunk) => chunk.moduleIds.some((id) => id.includes(module)))
          return found ?? this.error(`No chunk holds ${module}: first-load-budget.ts names a module that is gone.`)
        })
        const size = [...closure([...entries, ...roots], bundle)]
          .map((chunk) => gzipSync(chunk.code).length)
          .reduce((sum, bytes) => sum + bytes, 0)
        const text = `First load of ${page}: ${(size / 1000).toFixed(1)} of ${limitKb} KB gzip`
        if (size > limitKb * 1000) this.error(`${text}. Load part of it lazily, or find out why it is needed.`)
        this.info(text)
      }
    },
  }
}

/** These chunks and all their static imports. */
function closure(roots: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): Set<Rolldown.OutputChunk> {
  const found = new Set(roots)
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const file = bundle[name]
      if (file?.type === 'chunk') found.add(file)
    }
  }
  return found
}
