const message = 'A script of this page could not be loaded.'

/** Whether an error is that of a script. A document never loads one again that failed once: only another document can. */
export const isFailedScript = (error: unknown) => error instanceof Error && error.message === message

/** Names these errors. By their own message, the router would reload at once: also while the gateway is away. */
export function watchScripts() {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = message
  })
}
