import { get } from '#core/http/node-http.ts'

/** @returns whether a GET of the URL (http) succeeds within the timeout */
export function isOk(url: string, timeoutMs = 3_000): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      resolve(response.statusCode === 200)
      response.resume()
    }).on('error', () => resolve(false))
  })
}
