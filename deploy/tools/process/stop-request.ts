/**
 * Resolves at the first Ctrl-C, SIGTERM or SIGHUP and ignores further ones: one Ctrl-C arrives up to three times, from
 * the terminal, npm and the bootstrap script.
 */
export function waitForStopRequest(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve())
  })
}
