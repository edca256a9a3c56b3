import { z } from 'zod'
import { parseJson } from '#schemas/parse-json.ts'

const LogLine = z.object({ msg: z.string(), err: z.object({ message: z.string() }).optional() })

/** Shortens a service's log line to its message and that of its error; other lines keep their text. */
export function summarizeLogLine(line: string): string {
  if (!line.startsWith('{')) return line
  const { data } = LogLine.safeParse(parseJson(line))
  return data ? [data.msg, data.err?.message].filter(Boolean).join(': ') : line
}
