/** Headers in UTF-8, as curl sends them. `fetch` takes one character for each byte, and no others. */
export const asUtf8 = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(''),
    ]),
  )

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A header that `fetch` read as Latin-1, where its bytes that are UTF-8 are read as such. */
export const fromUtf8 = (latin1: string): string =>
  latin1.replace(/[\x80-\xff]+/g, (run) => {
    try {
      return utf8.decode(Uint8Array.from(run, (character) => character.charCodeAt(0)))
    } catch {
      return run
    }
  })
