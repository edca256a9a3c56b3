import { prettyFactory } from 'pino-pretty'
import { z } from 'zod'
import { parseJson } from '#schemas/parse-json.ts'

const colorize = process.stdout.isTTY
const pretty = prettyFactory({ colorize, ignore: 'pid,hostname,role', singleLine: true, translateTime: 'SYS:HH:MM:ss' })

/** Formats a service's log line for the console; lines that are not JSON keep their text. */
export function formatLogLine(role: string, line: string): string {
  const text = line.startsWith('{') ? pretty(line).trimEnd() : line
  const prefix = `[${role}]`
  return `${colorize ? `\u001B[2m${prefix}\u001B[22m` : prefix} ${text}`
}

const LogLine = z.object({ msg: z.string(), err: z.object({ message: z.string() }).optional() })

/** Shortens a service's log line to its message and that of its error; other lines keep their text. */
export function summarizeLogLine(line: string): string {
  if (!line.startsWith('{')) return line
  const { data } = LogLine.safeParse(parseJson(line))
  return data ? [data.msg, data.err?.message].filter(Boolean).join(': ') : line
}
