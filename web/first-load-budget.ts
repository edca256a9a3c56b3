import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

type Page = { limitKb: number; modules: readonly string[] }

/**
 * JavaScript that a page may load before it stands, KB after gzip, and what that is besides the entry.
 * Signed in, the frame and the dashboard come on top.
 */
const pages: Record<string, Page> = {
  '/ signed out': {
    limitKb: 180,
    modules: ['/src/routes/index.tsx?tsr-split=', '/src/features/landing/landing-screen.tsx'],
  },
  '/auth': { limitKb: 180, modules: ['/src/routes/auth.tsx?tsr-split='] },
  '/ signed in': {
    limitKb: 200,
    modules: [
      '/src/routes/index.tsx?tsr-split=',
      '/src/routes/-signed-in/signed-in.tsx',
      '/src/routes/-home/dashboard.tsx',
    ],
  },
}

/** Fails a build whose first pages have become too heavy, and says what each of them weighs. */
export function firstLoadBudget(): Plugin {
  return {
    name: 'first-load-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
      const entries = chunks.filter((chunk) => chunk.isEntry)
      for (const [page, { limitKb, modules }] of Object.entries(pages)) {
        const roots = modules.map((module) => {
          const found = chunks.find((chunk) => chunk.moduleIds.some((id) => id.includes(module)))
          return found ?? this.error(`No chunk holds ${module}: first-load-budget.ts names a module that is gone.`)
        })
        const size = [...closure([...entries, ...roots], bundle)]
          .map((chunk) => gzipSync(chunk.code).length)
          .reduce((sum, bytes) => sum + bytes, 0)
        const text = `First load of ${page}: ${(size / 1000).toFixed(1)} of ${limitKb} KB gzip`
        if (size > limitKb * 1000) this.error(`${text}. Load something of it later, or find out why it is needed.`)
        this.info(text)
      }
    },
  }
}

/** The chunks and all that they import at once. */
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
