export const scriptMessage = 'A script of this page could not be loaded.'

/** Whether a script failed to load. A document never retries a script that failed; only a new document does. */
export const isFailedScript = (error: unknown) => error instanceof Error && error.message === scriptMessage

/** Replaces the message of these errors. For the original one, the router reloads at once, even during an outage. */
export function watchScripts() {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = scriptMessage
  })
}
