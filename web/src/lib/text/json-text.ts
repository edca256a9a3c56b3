/** Says what is wrong with a text that should be JSON; `null` when nothing is, or when there is no text. */
export function jsonMistake(text: string): string | null {
  if (text.trim() === '') return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? `Not valid JSON: ${error.message}` : 'Not valid JSON'
  }
}
