export const testerId = 'request-tester'

/** Brings the tester into view, its button under the finger. */
export function focusTester() {
  const button = document.querySelector<HTMLElement>(`#${testerId} [type=submit]`)
  button?.focus({ preventScroll: true })
  document.getElementById(testerId)?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
