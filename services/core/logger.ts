import { pino, type Logger } from 'pino'
import type { Config } from './config.ts'

export type { Logger }

/** Structured log on standard output, with credentials redacted. */
export function createLogger({ logLevel, roles }: Pick<Config, 'logLevel' | 'roles'>): Logger {
  return pino({
    level: logLevel,
    base: { role: roles.join(',') },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'cookie', 'password', 'key', 'token'].flatMap((name) => [name, `*.${name}`]),
      censor: '[redacted]',
    },
  })
}
