import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { percentDecoded } from '#schemas/percent-encoding.ts'

/**
 * The kinds of values that variables have. A description is the expected value in errors, and the type in the table of
 * deploy/README.md.
 */

/** Keeps empty items, because an extra comma may mean that a value got lost. */
const listed = (text: string) => text.split(',').map((part) => part.trim())

const isDistinct = (items: readonly unknown[]) => new Set(items).size === items.length

const List = z.string().transform(listed)

const listOf = (item: z.ZodType<string, string>, wanted: string) => List.pipe(z.array(item)).describe(wanted)

const checked = (isValid: (value: string) => boolean, wanted: string) => z.string().refine(isValid).describe(wanted)

export const roles = <const Name extends string>(names: readonly Name[]) =>
  List.pipe(z.array(z.enum(names)).refine(isDistinct)).describe(`list of ${names.join(', ')}`)

/** Decimal digits only, because `1e3`, `0x10` and `010` are usually mistakes. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,15})$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`whole number from ${min} to ${max}`)

/** A fraction, such as `0.1`. */
export const ratio = () =>
  z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/)
    .transform(Number)
    .describe('number from 0 to 1')

export const oneOf = <const Option extends string>(options: readonly Option[]) =>
  z.enum(options).describe(options.join(', '))

/** Without surrounding spaces, which are easy to miss. */
export const text = (wanted = 'text', pattern = /^(?! )[^\p{Cc}]+(?<! )$/u) =>
  z.string().regex(pattern).describe(wanted)

/** Neither a URL nor a path that a shell would have to expand. */
export const folder = () => text('folder', /^(?![~$ ]|[a-z]+:)[^\p{Cc}]+(?<! )$/u)

const isHost = (value: string) => isIP(value) !== 0 || /^(?![\d.]+$|-)[\w-]+(?:\.[\w-]+)*$/.test(value)

const withoutBrackets = (value: string) => value.replace(/^\[(.*)\]$/, '$1')

/** Parses strictly: the URL parser alone accepts `http:/api` and reads `a,https` as a host. */
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

/** The URL of a server, without a path. */
export const server = (...protocols: string[]) =>
  checked((value) => isAddress(value, protocols, /^\/?$/), `URL with ${startsOf(protocols)}`)

/** The URL of a server, with a database as its path. */
const database = (...protocols: string[]) =>
  checked((value) => isAddress(value, protocols, /^\/?[^/]*$/), `URL with ${startsOf(protocols)}`)

const sslModes: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** Rejects unknown modes, for which the driver would silently use another one. It reads `ssl` like `sslmode`. */
export const postgres = () =>
  database('postgres', 'postgresql').refine((value) => {
    const isKnown = (name: string, known: readonly string[]) =>
      parse(value)
        ?.searchParams.getAll(name)
        .every((given) => known.includes(given))
    const switches = ['true', 'false']
    return isKnown('sslmode', sslModes) && isKnown('ssl', [...sslModes, ...switches]) && isKnown('prepare', switches)
  })

/** The client accepts no parameters except its own. */
export const clickhouse = () => database('http', 'https').refine((value) => !value.includes('?'))

/** A folder, or a bucket with a prefix. */
export const archiveUrl = () =>
  z
    .string()
    .refine((value) => isAddress(value, ['http', 'https']) || /^file:\/\/\/[^\s#]+$/.test(value))
    .refine((value) => !/[?*{}]|\/\.\.?(?:\/|$)/.test(value))
    .refine((value) => !URL.parse(value)?.username === !URL.parse(value)?.password)
    .describe(
      'file:///folder, or URL with http:// or https:// of a bucket, with key and secret or neither, without a query',
    )

/** A base for other URLs, without query and credentials. */
export const baseUrl = () =>
  checked(
    (value) => isAddress(value, ['http', 'https']) && !/[?@]/.test(value),
    'URL with http:// or https://, without a query',
  )

const isOrigin = (value: string) => isAddress(value, ['http', 'https']) && parse(value)?.origin === value

/** A trailing slash is accepted and removed. */
export const origin = () =>
  z
    .string()
    .transform((value) => value.replace(/\/$/, ''))
    .pipe(z.string().refine(isOrigin))
    .describe('origin such as https://gateway.example.com')

export const origins = () => listOf(z.string().refine(isOrigin), 'list of origins such as https://app.example.com')

/**
 * The path is the database; behind a Sentinel, the master's name and then the database; a cluster has only database 0.
 * A query could override any option of the driver; only `family` is accepted, because it depends on the network.
 */
function isRedis(value: string): boolean {
  const url = parse(value)
  const kind = /^rediss?(|\+cluster|\+sentinel):$/.exec(url?.protocol ?? '')?.[1]
  if (!url || kind === undefined) return false
  if (kind === '') return /^\/?\d{0,4}$/.test(url.pathname) && /^(?:\?family=[046])?$/.test(url.search)
  if (kind === '+cluster') return /^\/?0?$/.test(url.pathname) && url.search === ''
  const isSentinel = (name: string, given: string) =>
    name === 'sentinelPassword' || (name === 'sentinel' && parse(`redis://${given}`) !== null)
  return (
    /^\/[^/]+(?:\/\d{1,4})?$/.test(url.pathname) &&
    [...url.searchParams].every(([name, given]) => isSentinel(name, given))
  )
}

const redisStarts = 'redis://, rediss://, redis+cluster:// or redis+sentinel://'

export const stateRedis = () => checked(isRedis, `URL with ${redisStarts}`)

export const queueRedis = () =>
  List.pipe(z.array(z.string().refine(isRedis)).refine(isDistinct)).describe(`list of URLs with ${redisStarts}`)

export const host = () => checked(isHost, 'address or host name')

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

/** Otherwise, a text with another last letter could decode to the same bytes. */
const isCanonical = (base64: string) => Buffer.from(base64, 'base64').toString('base64') === base64

/** Whether all bytes are equal, as in 32 zeros. */
const isUniform = (base64: string) => new Set(Buffer.from(base64, 'base64')).size === 1

/** `1:<base64>,2:<base64>`: the last key encrypts, any of them decrypts. */
export const masterKeys = () =>
  List.pipe(
    z
      .array(z.string().regex(/^[1-9]\d{0,2}:(?:lost|[A-Za-z\d+/]{43}=)$/))
      .transform((parts) =>
        parts.map((part) => part.split(':')).map(([version, key = '']) => [Number(version), key] as const),
      )
      .refine((parts) => isDistinct(parts.map(([version]) => version)) && parts.every(([version]) => version < 256))
      .refine((parts) => {
        const keys = parts.flatMap(([, key]) => (key === 'lost' ? [] : [key]))
        const sealing = keys.at(-1)
        // A uniform one among the others is accepted, so that an operator can replace it.
        return isDistinct(keys) && keys.every(isCanonical) && sealing !== undefined && !isUniform(sealing)
      }),
  )
    .transform((parts) => ({
      keys: new Map(
        parts.flatMap(([version, key]) => (key === 'lost' ? [] : [[version, Buffer.from(key, 'base64')] as const])),
      ),
      lost: new Set(parts.flatMap(([version, key]) => (key === 'lost' ? [version] : []))),
    }))
    .describe('list of `<version>:<32 random bytes in base64>`, each version once, up to 255')

const Pair = z.string().transform((pair, context) => {
  const [, name, value] = (/^([^=\s]+?)\s*=\s*(.*)$/.exec(pair) ?? []).map(percentDecoded)
  if (name !== undefined && value !== undefined) return [name, value] as const
  context.addIssue('expected name=value')
  return z.NEVER
})

/** Headers with valid names and values. */
export const headers = () =>
  pairs().refine((given) =>
    Object.entries(given).every(([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[^\t -~]/.test(value)),
  )

/** `name=value,name=value`, percent-encoded, as in OpenTelemetry's own variables. Base64 ends with `=`. */
export const pairs = () =>
  List.pipe(z.array(Pair))
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

/** A JSON file that is read once. */
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
