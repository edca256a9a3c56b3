type Sent = { method: string; url: string; headers: Record<string, string>; body: string | null | undefined }

/**
 * A request as a command for a POSIX shell.
 * @param authorization of a further header; the shell expands its variables
 */
export const curlText = ({ method, url, headers, body }: Sent, authorization?: string): string =>
  [
    `curl -X ${quote(method)} ${quote(url)}`,
    ...(authorization === undefined ? [] : [`-H "Authorization: ${authorization}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null || body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    // curl would read brackets and braces in an address as patterns.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
  ].join(' \\\n  ')

/** Quotes a text as one word of the shell. */
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
