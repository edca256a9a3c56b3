/** Resolves once the browser has painted what is changed by now; at once in a hidden page, which is never painted. */
export function nextPaint(): Promise<void> {
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
