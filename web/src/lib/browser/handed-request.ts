import { parseJson } from '../text/parse-json.ts'
/** Where one screen leaves a request for the tester of the Dashboard; also the name of the event that says so. */
const key = 'sallyport.tester.request'

/** Leaves a request for the tester, which may be on the screen already. */
export function handRequest(request: object): void {
  sessionStorage.setItem(key, JSON.stringify(request))
  window.dispatchEvent(new Event(key))
}

/** @returns the request that was left; undefined when there is none, or it can't be parsed */
export function readHandedRequest(): unknown {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : parseJson(text)
}

/** Called once the tester shows the request, so that it does not come again. */
export const forgetHandedRequest = () => sessionStorage.removeItem(key)

/** @returns how to stop listening */
export function onHandedRequest(listen: () => void): () => void {
  window.addEventListener(key, listen)
  return () => window.removeEventListener(key, listen)
}
