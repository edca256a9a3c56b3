/** @returns undefined for invalid percent-encoding */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** @returns the text itself for invalid percent-encoding */
export const decodedIfValid = (text: string): string => (text.includes('%') ? (percentDecoded(text) ?? text) : text)
