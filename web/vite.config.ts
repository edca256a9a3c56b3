import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstLoadBudget } from './first-load-budget.ts'
import { gzippedFiles } from './gzipped-files.ts'
import { withoutJsonSchemas } from './without-json-schemas.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // Loaders too, so that their queries and schemas stay out of the first load.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
      routesDirectory: here('src/routes'),
      generatedRouteTree: here('src/route-tree.gen.ts'),
      routeTreeFileHeader: [],
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    tailwindcss(),
    withoutJsonSchemas(),
    firstLoadBudget(),
    gzippedFiles(),
  ],
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    // The content security policy allows no `data:` fonts.
    assetsInlineLimit: 0,
    // What many screens share is in few files, because each file of a few hundred bytes is another request.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'initial', tags: ['$initial'], priority: 2 },
            { name: 'icons', test: /lucide-react/, minShareCount: 2, priority: 1 },
            { name: 'shared', test: /\/(schemas|web\/src\/lib)\//, minShareCount: 6 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
