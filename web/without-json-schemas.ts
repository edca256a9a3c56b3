import type { Plugin } from 'vite'

const description = /\.describe\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),?\s*\)/g
const converter = /^\s*inst\._zod\.processJSONSchema = .*;$/gm

/** Removes what only the document of the API needs from schemas and from zod. It would enlarge the first load. */
export function withoutJsonSchemas(): Plugin {
  return {
    name: 'without-json-schemas',
    apply: 'build',
    transform: {
      filter: { id: [/\/schemas\/[\w-]+\.ts$/, /\/zod\/v4\/classic\/schemas\.js$/] },
      order: 'pre',
      handler: (code) => ({ code: code.replace(description, '').replace(converter, ''), map: null }),
    },
  }
}
