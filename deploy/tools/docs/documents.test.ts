import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from 'oxfmt'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { composeFile } from '#deploy/docker/compose-file.ts'
import { cases, ownStackCases } from '#tools/faults/cases.ts'
import { root } from '#tools/root.ts'
import { createCommandLine } from '../../../services/cli/command-line.ts'
import { createDeadLetterCommandLine } from '../../../services/cli/dead-letter-commands.ts'
import { createPipelineCommandLine } from '../../../services/cli/pipeline-commands.ts'
import { generated } from './generated.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
const exclude = ['**/node_modules/**']
const documents = ['README.md', ...globSync(['deploy/**/*.md', '.github/*.md'], { cwd: root, exclude })]

/** Everything that may define what a document names. */
const definitions = globSync(
  [
    '{schemas,services,deploy,web}/**/*.{ts,tsx,js,sql,yml,yaml,json,env,service}',
    'deploy/docker/*',
    '*.{yml,json}',
    '.github/workflows/*',
  ],
  { cwd: root, exclude: [...exclude, 'web/dist/**', 'deploy/tools/docs/documents.test.ts'] },
)
  .map(read)
  .join('\n')

/** Names from before an upgrade, a mistyped one, and one of the kernel's. */
const otherNames = new Set([
  'POSTGRES_POOLS',
  'SO_REUSEPORT',
  'SallyportKeysResting',
  'sallyport_proxy_refused_total',
  'sallyport_proxy_resting_keys',
  'sallyport_spool_accepted_requests',
])

/** Inline code and code blocks. */
const codeOf = (text: string) =>
  [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, line]) => block ?? line ?? '')

/** Anchors as GitHub derives them from headings. */
const anchorsOf = (text: string) => [
  ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  ),
  ...[...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => id!),
]

describe.each(documents)('%s', (path) => {
  const text = read(path)

  test('its links lead somewhere', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !link.includes('://'))
    const dead = links.filter((link) => {
      const [file, anchor] = link.split('#') as [string, string?]
      const target = file === '' ? path : join(dirname(path), file)
      return !existsSync(join(root, target)) || (anchor && !anchorsOf(read(target)).includes(anchor))
    })
    expect(dead).toEqual([])
  })

  test('its commands and paths exist', () => {
    const code = codeOf(text).join('\n')
    const commands = [...code.matchAll(/\bnpm (?:run )?(?:--silent )?([\w-]+(?::[\w-]+)?)/g)].map(([, name]) => name!)
    const npmOwn = new Set(['ci', 'install', 'audit', 'sbom'])
    expect(commands.filter((name) => !(name in scripts) && !npmOwn.has(name))).toEqual([])
    const paths = [...code.matchAll(/(?<![\w/.-])(?:deploy|services|schemas|web|\.github|\.ci)\/[\w./-]*/g)]
      .map(([name]) => name.replace(/[./]$/, ''))
      .filter((name) => !/^web\/?$/.test(name))
    expect(paths.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })

  test('its variables, metrics, alerts and options of commands exist', () => {
    const code = codeOf(text).join('\n')
    const names = [...code.matchAll(/\b(?:[A-Z][A-Z\d]*_[A-Z\d_]+|sallyport_[a-z_]+|Sallyport[A-Z]\w+)\b/g)]
      .map(([name]) => name)
      .filter((name) => !otherNames.has(name) && !new RegExp(`\\b${name}\\b`).test(definitions))
    const options = [...code.matchAll(/npm run (?:--silent )?([\w:-]+) -- ([^#|;\n]*)/g)].flatMap(([, name, words]) => {
      const script = /(?:deploy|services)\/\S+\.ts/.exec(scripts[name!] ?? '')?.[0] ?? ''
      const files = globSync(`${dirname(script)}/**/*.ts`, { cwd: root })
        .map(read)
        .join('\n')
      return words!.match(/--[a-z-]+/g)?.filter((option) => !files.includes(option.slice(2))) ?? []
    })
    expect([...names, ...options]).toEqual([])
  })

  test('services that it names to Docker Compose exist', () => {
    const code = codeOf(text).join('\n')
    const named = [
      ...[...code.matchAll(/docker compose (?:exec|run)(?: --?[\w-]+)* ([a-z][\w-]*)/g)].map(([, name]) => name!),
      ...[...code.matchAll(/docker compose logs --tail \d+ ([\w-]+)/g)].map(([, name]) => name!),
      ...[...code.matchAll(/--scale ([\w-]+)=/g)].map(([, name]) => name!),
      ...[...code.matchAll(/docker compose up --detach ((?:[a-z][\w-]*[ \t]*)+)/g)].flatMap(([, names]) =>
        names!.trim().split(/\s+/),
      ),
    ]
    expect(named.filter((name) => !(name in composeFile.services))).toEqual([])
  })
})

test.each(Object.entries(generated))('%s has what `npm run docs` writes', async (path, write) => {
  const { printWidth, semi, singleQuote } = z
    .looseObject({ printWidth: z.number(), semi: z.boolean(), singleQuote: z.boolean() })
    .parse(JSON.parse(read('.oxfmtrc.json')))
  const { code } = await format(path, write(read(path)), { printWidth, semi, singleQuote })
  expect(read(path)).toBe(code)
})

const createLines = [createCommandLine, createDeadLetterCommandLine, createPipelineCommandLine]
const commandLines = createLines.map((create) => create(async () => undefined))
const namesIn = (command: string, text: string) =>
  [...text.matchAll(new RegExp(`npm run ${command} -- ([a-z-]+)`, 'g'))].map(([, name]) => name!)

test.each(commandLines.map((program) => [program.name().split(' ')[2]!, program] as const))(
  'deploy/README.md shows what %s can do, and what documents show of it exists',
  (command, { commands }) => {
    const names = commands.map((each) => each.name())
    const shown = codeOf(read('deploy/README.md')).filter((code) => code.includes(`npm run ${command} --`))
    expect(names.filter((name) => !shown.join().includes(name))).toEqual([])
    expect(documents.flatMap((path) => namesIn(command, read(path))).filter((name) => !names.includes(name))).toEqual(
      [],
    )
  },
)

test.each([
  ['threats.md', 70],
  ['http.md', 35],
])('tests that %s names exist', (document, least) => {
  const named = [...read(`deploy/docs/${document}`).matchAll(/`([\w./-]+\.ts)` “([^”]+)”/g)]
  expect(named.length).toBeGreaterThan(least)
  expect(named.filter(([, path, words]) => !read(path!).includes(words!)).map(([text]) => text)).toEqual([])
})

test('faults.md says which rows have a case, and which of them `npm test` runs', () => {
  const rows = [...read('deploy/docs/faults.md').matchAll(/^\| (\d+) .*\| (case(?:, short)?(?! \d))?[^|]*\|$/gm)]
  const shown = rows.flatMap(([, row, isCase]) => (isCase ? [`${row} ${isCase}`] : []))
  const shortRows = new Set(cases.filter(({ isShort }) => isShort).map(({ row }) => row))
  const known = new Set([...cases, ...ownStackCases].map(({ row }) => row))
  expect(shown).toEqual(
    [...known].toSorted((a, b) => a - b).map((row) => `${row} case${shortRows.has(row) ? ', short' : ''}`),
  )
})

/** Every match in a source file, even across wrapped comment lines. */
const matchesIn = (path: string, expression: RegExp) =>
  [
    ...read(path)
      .replaceAll(/\n\s*(?:\*(?!\/)|\/\/|--|#)? */g, ' ')
      .matchAll(expression),
  ].map(([match]) => match)

const isInRepository = (name: string) => documents.some((path) => `/${path}`.endsWith(`/${name}`))

const foreign = (path: string) => [
  ...matchesIn(path, /[\w./-]+\.md\b/g).filter((name) => !isInRepository(name.replace(/^[./]+/, ''))),
  ...matchesIn(path, /§|\bissue "/g),
]

describe('what sources cite', () => {
  const sources = globSync(['{schemas,services,deploy}/**/*.{ts,js,sql,yml}', 'web/{src,e2e}/**/*.{ts,tsx,css}'], {
    cwd: root,
    exclude,
  }).filter((path) => path !== 'deploy/tools/docs/documents.test.ts')

  test('promises of product.md exist', () => {
    const promises = new Set(
      [...read('deploy/docs/product.md').matchAll(/^- \*\*(\d+\.\d+) /gm)].map(([, number]) => number!),
    )
    const citations = sources.flatMap((path) =>
      matchesIn(path, /product\.md \d+(?:\.\d+)?(?:(?:, | to )\d+\.\d+)*/g).flatMap((text) =>
        text
          .slice('product.md '.length)
          .split(/, | to /)
          .map((number) => ({ path, number })),
      ),
    )
    expect(citations.length).toBeGreaterThan(50)
    expect(citations.filter(({ number }) => !promises.has(number))).toEqual([])
  })

  test('documents are in the repository', () => {
    expect(sources.flatMap((path) => foreign(path).map((name) => ({ path, name })))).toEqual([])
  })
})
