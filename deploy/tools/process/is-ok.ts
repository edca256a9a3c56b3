/** @returns whether a GET of the URL succeeds within the timeout */
export async function isOk(url: string, timeoutMs = 3_000): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
