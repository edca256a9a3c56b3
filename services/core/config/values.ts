import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { percentDecoded } from '#schemas/percent-encoding.ts'
import { LimitOverrides } from '../limits/resource-limits.ts'

/**
 * The kinds of values that variables have. The description of each is what an error says that it expected, and the type in
 * the table of deploy/README.md.
 */

/** A comma too many may stand where something got lost, so an empty item is not skipped. */
const listed = (text: string) => text.split(',').map((part) => part.trim())

const isDistinct = (items: readonly unknown[]) => new Set(items).size === items.length

const listOf = (item: z.ZodType<string, string>, wanted: string) =>
  z.string().transform(listed).pipe(z.array(item)).describe(wanted)

export const roles = <const Name extends string>(names: readonly Name[]) =>
  z
    .string()
    .transform(listed)
    .pipe(z.array(z.enum(names)).refine(isDistinct))
    .describe(`list of ${names.join(', ')}`)

/** Decimal digits, because `1e3`, `0x10` and `010` are more often slips than wishes. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,15})$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`whole number from ${min} to ${max}`)

/** Of a whole: `0.1`. */
export const ratio = () =>
  z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/)
    .transform(Number)
    .describe('number from 0 to 1')

export const oneOf = <const Option extends string>(options: readonly Option[]) =>
  z.enum(options).describe(options.join(', '))

/** Without blanks around it, which no one sees. */
export const text = (wanted = 'text', pattern = /^(?! )[^\p{Cc}]+(?<! )$/u) =>
  z.string().regex(pattern).describe(wanted)

/** No shell expands what it begins with, and it is no URL. */
export const folder = () => text('folder', /^(?![~$ ]|[a-z]+:)[^\p{Cc}]+(?<! )$/u)

const isHost = (value: string) => isIP(value) !== 0 || /^(?![\d.]+$|-)[\w-]+(?:\.[\w-]+)*$/.test(value)

const withoutBrackets = (value: string) => value.replace(/^\[(.*)\]$/, '$1')

/** An address as it is written: the parser alone forgives `http:/api` and reads `a,https` as a host. */
function parse(address: string): URL | null {
  const url = /^[a-z+]+:\/\/[^\s\p{Cc}#]+$/u.test(address) ? URL.parse(address) : null
  if (!url || !isHost(withoutBrackets(url.hostname)) || url.port === '0') return null
  const isEncoded = [url.username, url.password, url.pathname].every((part) => percentDecoded(part) !== undefined)
  return isEncoded ? url : null
}

const isAddress = (address: string, protocols: readonly string[], path = /^/) => {
  const url = parse(address)
  return url !== null && protocols.includes(url.protocol.slice(0, -1)) && path.test(url.pathname)
}

const startsOf = (protocols: readonly string[]) => protocols.map((protocol) => `${protocol}://`).join(' or ')

/** The address of a server. */
export const server = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => isAddress(value, protocols, /^\/?$/))
    .describe(`URL with ${startsOf(protocols)}`)

/** The address of a server, and a database as its path. */
const database = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => isAddress(value, protocols, /^\/?[^/]*$/))
    .describe(`URL with ${startsOf(protocols)}`)

const sslModes: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** With a wrong mode of TLS or of prepared statements, the driver would take another one. */
export const postgres = () =>
  database('postgres', 'postgresql').refine((value) => {
    const isKnown = (name: string, known: readonly string[]) =>
      parse(value)
        ?.searchParams.getAll(name)
        .every((given) => known.includes(given))
    return isKnown('sslmode', sslModes) && isKnown('prepare', ['true', 'false'])
  })

/** The client takes no parameters but its own. */
export const clickhouse = () => database('http', 'https').refine((value) => !value.includes('?'))

/** A folder, or a bucket with a prefix. */
export const archiveUrl = () =>
  z
    .string()
    .refine((value) => isAddress(value, ['http', 'https']) || /^file:\/\/\/[^\s#]+$/.test(value))
    .refine((value) => !/[?*{}]|\/\.\.?(?:\/|$)/.test(value))
    .describe('file:///folder, or URL with http:// or https:// of a bucket, without a query')

/** An address below which others are made: without query and credentials. */
export const baseUrl = () =>
  z
    .string()
    .refine((value) => isAddress(value, ['http', 'https']) && !/[?@]/.test(value))
    .describe('URL with http:// or https://, without a query')

const isOrigin = (value: string) => isAddress(value, ['http', 'https']) && parse(value)?.origin === value

/** A slash at the end is forgiven, and removed. */
export const origin = () =>
  z
    .string()
    .transform((value) => value.replace(/\/$/, ''))
    .pipe(z.string().refine(isOrigin))
    .describe('origin such as https://gateway.example.com')

export const origins = () => listOf(z.string().refine(isOrigin), 'list of origins such as https://app.example.com')

/** A database as path; behind a Sentinel the master's name, and then the database; a cluster has one database. */
function isRedis(value: string): boolean {
  const url = parse(value)
  const kind = /^rediss?(|\+cluster|\+sentinel):$/.exec(url?.protocol ?? '')?.[1]
  if (!url || kind === undefined) return false
  if (kind === '') return /^\/?\d{0,4}$/.test(url.pathname)
  if (kind === '+cluster') return /^\/?0?$/.test(url.pathname) && url.search === ''
  const isSentinel = (name: string, given: string) =>
    name === 'sentinelPassword' || (name === 'sentinel' && parse(`redis://${given}`) !== null)
  return (
    /^\/[^/]+(?:\/\d{1,4})?$/.test(url.pathname) &&
    [...url.searchParams].every(([name, given]) => isSentinel(name, given))
  )
}

export const stateRedis = () =>
  z.string().refine(isRedis).describe('URL with redis://, rediss://, redis+cluster:// or redis+sentinel://')

export const queueRedis = () =>
  z
    .string()
    .transform(listed)
    .pipe(z.array(z.string().refine(isRedis)).refine(isDistinct))
    .describe('list of URLs with redis://, rediss://, redis+cluster:// or redis+sentinel://')

export const host = () => z.string().refine(isHost).describe('address or host name')

export const hostNames = () =>
  listOf(
    z.string().refine((value) => isHost(withoutBrackets(value))),
    'list of host names, without scheme and port',
  )

const Cidr = z.union([z.cidrv4(), z.cidrv6()])

export const cidrs = () => listOf(Cidr, 'list of CIDRs such as 10.0.0.0/8')

/** The values that `proxy-addr` accepts. */
const trusted = z.union([z.ipv4(), z.ipv6(), Cidr, z.enum(['loopback', 'linklocal', 'uniquelocal'])])

export const trustedProxies = () => listOf(trusted, 'list of addresses or CIDRs')

const isPort = (value: string) => whole(1, 65_535).safeParse(value).success

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
function isNameServer(value: string): boolean {
  const [, ip, port] = /^\[(.+)\](?::(\d+))?$/.exec(value) ?? /^([\d.]+):(\d+)$/.exec(value) ?? []
  return isIP(ip ?? value) !== 0 && isPort(port ?? '53')
}

export const nameServers = () =>
  listOf(z.string().refine(isNameServer), 'list of addresses, each with a port or without')

export const email = () => z.email().describe('mail address')

/** A letter that was changed at the end would decode to the same bytes. */
const isCanonical = (base64: string) => Buffer.from(base64, 'base64').toString('base64') === base64

/** `1:<base64>,2:<base64>`: the last key encrypts, all of them decrypt. */
export const masterKeys = () =>
  z
    .string()
    .transform(listed)
    .pipe(
      z
        .array(z.string().regex(/^[1-9]\d{0,2}:(?:lost|[A-Za-z\d+/]{43}=)$/))
        .transform((parts) =>
          parts.map((part) => part.split(':')).map(([version, key = '']) => [Number(version), key] as const),
        )
        .refine((parts) => isDistinct(parts.map(([version]) => version)))
        .refine((parts) => isDistinct(parts.flatMap(([, key]) => (key === 'lost' ? [] : [key]))))
        .refine((parts) => parts.every(([, key]) => key === 'lost' || isCanonical(key)))
        .refine((parts) => parts.every(([version]) => version < 256))
        .refine((parts) => parts.some(([, key]) => key !== 'lost')),
    )
    .transform((parts) => ({
      keys: new Map(
        parts.flatMap(([version, key]) => (key === 'lost' ? [] : [[version, Buffer.from(key, 'base64')] as const])),
      ),
      lost: new Set(parts.flatMap(([version, key]) => (key === 'lost' ? [version] : []))),
    }))
    .describe('list of `<version>:<32 bytes in base64>`, each version once, up to 255')

const Pair = z.string().transform((pair, context) => {
  const [, name, value] = (/^([^=\s]+?)\s*=\s*(.*)$/.exec(pair) ?? []).map(percentDecoded)
  if (name !== undefined && value !== undefined) return [name, value] as const
  context.addIssue('expected name=value')
  return z.NEVER
})

/** Headers that can be sent. */
export const headers = () =>
  pairs().refine((given) =>
    Object.entries(given).every(([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[^\t -~]/.test(value)),
  )

/** `name=value,name=value`, percent-encoded, as OpenTelemetry's own variables have it. Base64 ends with `=`. */
export const pairs = () =>
  z
    .string()
    .transform(listed)
    .pipe(z.array(Pair))
    .transform((list): Record<string, string> => Object.fromEntries(list))
    .describe('list of name=value, percent-encoded')

const Json = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value)
  } catch {
    context.addIssue('expected JSON')
    return z.NEVER
  }
})

export const json = <T extends z.ZodType>(schema: T) => Json.pipe(schema).describe('JSON')

export const limitOverrides = () => json(LimitOverrides)

/** A JSON file, which is read once. */
export const jsonFile = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((path, context) => {
      try {
        return readFileSync(path, 'utf8')
      } catch {
        context.addIssue('the file cannot be read')
        return z.NEVER
      }
    })
    .pipe(Json)
    .pipe(schema)
    .describe('path of a JSON file')
