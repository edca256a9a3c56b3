/**
 * Resolves at the first Ctrl-C, SIGTERM or SIGHUP. The ones after it change nothing: Ctrl-C alone arrives up to three
 * times, from the terminal, from npm and from the bootstrap.
 */
export function waitForStopRequest(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve())
  })
}
