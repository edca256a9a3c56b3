/** By how many items these keys move; `Infinity`: to the end. */
const steps: Partial<Record<string, number>> = { PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>

/**
 * The index that a key moves to in a list.
 * @param arrows the keys for the previous and the next item
 * @returns undefined for other keys, and for shortcuts
 */
export function movedIndex(pressed: Pressed, arrows: readonly [string, string], index: number, last: number) {
  const { key, altKey, ctrlKey, metaKey } = pressed
  const [previous, next] = arrows
  const by = { ...steps, [previous]: -1, [next]: 1 }[key]
  if (by === undefined || altKey || ctrlKey || metaKey) return undefined
  return Math.max(0, Math.min(last, index + by))
}
