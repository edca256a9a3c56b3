/** The first and the last 4 characters, the rest as dots; a short secret shows nothing of itself. */
export function maskSecret(secret: string, shownAtStart: number): string {
  if (secret.length < 12) return '••••••••'
  return `${secret.slice(0, shownAtStart)}••••••••${secret.slice(-4)}`
}
