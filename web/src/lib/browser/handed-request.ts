import { parseJson } from '#schemas/parse-json.ts'
import { tryStorage } from './stored.ts'

/** Storage key of a request passed to the Dashboard's tester, and name of the event that announces it. */
const key = 'sallyport.tester.request'

/** Passes a request to the tester, which may be on the screen already. */
export function passToTester(request: object): void {
  tryStorage(() => sessionStorage.setItem(key, JSON.stringify(request)))
  window.dispatchEvent(new Event(key))
}

/** @returns the passed request; undefined when there is none, or it can't be parsed */
export const readHandedRequest = (): unknown => parseJson(tryStorage(() => sessionStorage.getItem(key)) ?? '')

/** Called once the tester shows the request, so that it is not shown again. */
export const forgetHandedRequest = () => tryStorage(() => sessionStorage.removeItem(key))

/** @returns a function that stops listening */
export function onHandedRequest(listen: () => void): () => void {
  window.addEventListener(key, listen)
  return () => window.removeEventListener(key, listen)
}
