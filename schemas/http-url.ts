/** True for an http(s) URL without credentials or fragment, and without characters that the URL parser would drop. */
export function isHttpUrl(text: string): boolean {
  if (/[\p{C}\p{Z}\\#]/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
