import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

const secrets = ['authorization', 'cookie', 'password', 'key', 'token'].flatMap((name) => [name, `*.${name}`])

/** Errors of Redis contain the arguments of their command: its password, or what clients have sent. */
const redisArguments = ['err', 'err.previousErrors[*]', 'err.aggregateErrors[*]'].map((path) => `${path}.command.args`)

/** Structured log, on standard output by default, with credentials redacted. */
export function createLogger(
  { logLevel, roles }: Pick<Config, 'logLevel' | 'roles'>,
  destination?: DestinationStream,
): Logger {
  const options = {
    level: logLevel,
    base: { role: roles.join(',') },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...secrets, ...redisArguments], censor: '[redacted]' },
  }
  return pino(options, destination)
}
