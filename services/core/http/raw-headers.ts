import { STATUS_CODES } from './node-http.ts'

/**
 * How often a header was sent; Node's `headers` keeps only the first of some headers.
 * @param rawHeaders name, value, name, value … as Node gives them
 * @param name in lower case
 */
export function timesSent(rawHeaders: readonly string[], name: string): number {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]
    if (sent?.length === name.length && sent.toLowerCase() === name) times += 1
  }
  return times
}

/** Encodes a response's head for a socket without a `ServerResponse`. @param headers name, value, name, value … */
export function encodeHead(status: number, headers: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`]
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
