import { prettyFactory } from 'pino-pretty'

const colorize = process.stdout.isTTY
const pretty = prettyFactory({ colorize, ignore: 'pid,hostname,role', singleLine: true, translateTime: 'SYS:HH:MM:ss' })

/** Formats a service's log line for the console; lines that are not JSON keep their text. */
export function formatLogLine(role: string, line: string): string {
  const text = line.startsWith('{') ? pretty(line).trimEnd() : line
  const prefix = `[${role}]`
  return `${colorize ? `\u001B[2m${prefix}\u001B[22m` : prefix} ${text}`
}
