import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { mib } from './units.ts'

export type { Logger }

const secrets = ['authorization', 'cookie', 'password', 'key', 'token'].flatMap((name) => [name, `*.${name}`])

/** Errors of Redis contain the arguments of their command: its password, or what clients have sent. */
const redisArguments = ['err', 'err.previousErrors[*]', 'err.aggregateErrors[*]'].map((path) => `${path}.command.args`)

/** Lines that wait for a reader or a disk; further ones are dropped. */
const maxUnwrittenBytes = 16 * mib

/**
 * Standard output. An error, such as that of a full disk, would end the process; and at its end, pino would try forever
 * to write what is left.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ maxLength: maxUnwrittenBytes })
  return stream.on('error', () => {
    stream.flushSync = () => undefined
  })
}

/** Structured log, on standard output by default, with credentials redacted. */
export function createLogger(
  { logLevel, roles }: Pick<Config, 'logLevel' | 'roles'>,
  destination = standardOutput(),
): Logger {
  const options = {
    level: logLevel,
    base: { role: roles.join(',') },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...secrets, ...redisArguments], censor: '[redacted]' },
  }
  return pino(options, destination)
}
