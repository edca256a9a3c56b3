import { StartFailure } from '#tools/process/start-failure.ts'

/** @returns the parsed JSON of a response, or the text of any other @throws StartFailure when its status is not 2xx */
export type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** Calls the control plane as a browser would, with the cookies of the account that signs in or registers. */
export function openSession(url: string): Call {
  let cookie = ''
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new StartFailure(`${method} ${path} said ${response.status} ${text}`)
    const cookies = response.headers.getSetCookie().map((each) => each.split(';', 1).join())
    if (cookies.length > 0) cookie = cookies.join('; ')
    return /^application\/json(?:;|$)/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
  }
}
