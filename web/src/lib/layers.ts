/** Functions that close each open dialog, drawer, panel and menu. */
const layers: (() => void)[] = []

/** @returns a function that removes it */
export function addLayer(close: () => void): () => void {
  layers.push(close)
  return () => void layers.splice(layers.indexOf(close), 1)
}

/** The function that closes the topmost layer, which Back and Escape close first. */
export const topLayer = () => layers.at(-1)
