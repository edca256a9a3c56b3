import type { Plugin } from 'vite'

const description = /\.describe\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),?\s*\)/g

/** Removes the descriptions of schemas, which only the document of the API shows. They would enlarge the first load. */
export function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    apply: 'build',
    transform: {
      filter: { id: /\/schemas\/[\w-]+\.ts$/ },
      order: 'pre',
      handler: (code) => ({ code: code.replace(description, ''), map: null }),
    },
  }
}
