import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { ProviderError } from './errors.ts'

const headerPrefix = 'x-provider-'
const count = (max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.number().max(max))
const flag = z.enum(['0', '1']).transform((value) => value === '1')

/** How to serve a request. Each control is set by header or within the key; see the table in the README. */
const Faults = z.strictObject({
  delayMs: count(600_000).default(0),
  status: count(599).pipe(z.number().min(400)).optional(),
  errorCode: z.string().regex(/^\w+$/).optional(),
  retryAfter: z.string().min(1).optional(),
  failTimes: count(1_000_000).optional(),
  reset: z.enum(['before', 'headers', 'stream']).optional(),
  hang: flag.default(false),
  chunkDelayMs: count(600_000).default(0),
  chunks: count(1_000_000).pipe(z.number().min(1)).optional(),
  bytes: count(64 * 2 ** 30).optional(),
  gzip: flag.default(false),
})
export type Faults = z.infer<typeof Faults>

export const noFaults: Faults = Faults.parse({})

const toCamel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `sk-any.delay-ms=50.status=500`: the parts after the first dot are controls, each `name=value`. */
const readKeyControls = (key: string): [name: string, value: string][] =>
  key
    .split('.')
    .slice(1)
    .map((control) => {
      const [name = '', value = ''] = control.split('=', 2)
      return [toCamel(name), value]
    })

/** The controls of a request; a header overrides the key. @throws ProviderError 400 on an unknown control or a wrong value */
export function readFaults(headers: IncomingHttpHeaders, key = ''): Faults {
  const controls: Record<string, unknown> = Object.fromEntries(readKeyControls(key))
  for (const name in headers)
    if (name.startsWith(headerPrefix)) controls[toCamel(name.slice(headerPrefix.length))] = headers[name]
  const { data, error } = Faults.safeParse(controls)
  if (data) return data
  const [issue] = error.issues
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]
  throw new ProviderError(400, `Sample provider control '${toKebab(String(name))}': ${issue?.message}`, {
    code: 'invalid_provider_control',
  })
}

/** Counts the requests of each key, so that the first N fail and later ones succeed. */
export function createFailureCount() {
  const seen = new Map<string, number>()
  /** @returns the controls, without failures after the first `failTimes` requests */
  return (faults: Faults, key = ''): Faults => {
    if (faults.failTimes === undefined) return faults
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    if (before >= faults.failTimes) return { ...faults, status: undefined, reset: undefined, hang: false }
    const fails = faults.status !== undefined || faults.reset !== undefined || faults.hang
    return fails ? faults : { ...faults, status: 503 }
  }
}
