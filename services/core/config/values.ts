import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { percentDecoded } from '#schemas/percent-encoding.ts'
import { LimitOverrides } from '../limits/resource-limits.ts'

/**
 * The kinds of values that variables have. The description of each is what an error says that it expected, and the type in
 * the table of deploy/README.md.
 */

const listed = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const listOf = (item: z.ZodType<string, string>, wanted: string) =>
  z.string().transform(listed).pipe(z.array(item)).describe(wanted)

export const roles = <const Name extends string>(names: readonly Name[]) =>
  z
    .string()
    .transform(listed)
    .pipe(z.array(z.enum(names)).min(1))
    .describe(`list of ${names.join(', ')}`)

/** Decimal digits, because `1e3` and `0x10` are more often slips than wishes. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/)
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

export const text = (wanted = 'text', pattern = /^[^\p{Cc}]+$/u) => z.string().regex(pattern).describe(wanted)

const parse = (address: string) => (/[\s\p{Cc}]/u.test(address) ? null : URL.parse(address))

const isAddress = (address: string, protocols: readonly string[]) => {
  const url = parse(address)
  return url !== null && url.hostname !== '' && protocols.includes(url.protocol.slice(0, -1))
}

const startsOf = (protocols: readonly string[]) => protocols.map((protocol) => `${protocol}://`).join(' or ')

/** An address of a service. */
export const address = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => isAddress(value, protocols))
    .describe(`URL with ${startsOf(protocols)}`)

/** A folder, or a bucket with a prefix. */
export const archiveUrl = () =>
  z
    .string()
    .refine((value) => isAddress(value, ['http', 'https']) || /^file:\/\/\/[^\s?#]+$/.test(value))
    .refine((value) => !/[?#]/.test(value))
    .describe('file:///folder, or URL with http:// or https:// of a bucket, without a query')

/** An address below which others are made: without query and fragment. */
export const baseUrl = () =>
  z
    .string()
    .refine((value) => isAddress(value, ['http', 'https']) && !/[?#]/.test(value))
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

/** A database as path; behind a Sentinel the master's name, and then the database. */
const isRedis = (value: string, kinds: string) => {
  const url = parse(value)
  if (!url || url.hostname === '' || !new RegExp(`^rediss?(?:\\+(?:${kinds}))?:$`).test(url.protocol)) return false
  return (url.protocol.includes('sentinel') ? /^\/[^/]+(?:\/\d+)?$/ : /^\/?\d*$/).test(url.pathname)
}

export const stateRedis = () =>
  z
    .string()
    .refine((value) => isRedis(value, 'cluster|sentinel'))
    .describe('URL with redis://, rediss://, redis+cluster:// or redis+sentinel://')

export const queueRedis = () =>
  z
    .string()
    .transform(listed)
    .pipe(z.array(z.string().refine((value) => isRedis(value, 'cluster|sentinel'))).min(1))
    .describe('list of URLs with redis://, rediss://, redis+cluster:// or redis+sentinel://')

const isHost = (value: string) => isIP(value) !== 0 || /^(?!\d+$)[\w-]+(?:\.[\w-]+)*$/.test(value)

export const host = () => z.string().refine(isHost).describe('address or host name')

export const hostNames = () =>
  listOf(
    z.string().refine((value) => isHost(value.replace(/^\[(.*)\]$/, '$1'))),
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
        .refine((parts) => new Set(parts.map(([version]) => version)).size === parts.length)
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
