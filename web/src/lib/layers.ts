/** How to close each dialog, drawer and panel that is open. */
const layers: (() => void)[] = []

/** @returns how to remove it */
export function addLayer(close: () => void): () => void {
  layers.push(close)
  return () => void layers.splice(layers.indexOf(close), 1)
}

/** How to close the topmost layer, which Back and Escape close first. */
export const topLayer = () => layers.at(-1)
