export const testerId = 'request-tester'

/** Scrolls to the tester and focuses its button. */
export function focusTester() {
  const button = document.querySelector<HTMLElement>(`#${testerId} [type=submit]`)
  button?.focus({ preventScroll: true })
  document.getElementById(testerId)?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
