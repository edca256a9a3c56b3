/**
 * How often a header was sent; of some headers Node's `headers` keeps only the first.
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
