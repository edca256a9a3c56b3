/** How to close each dialog, drawer and panel that is open. */
const layers: (() => void)[] = []

/** @returns how to take it away */
export function addLayer(close: () => void): () => void {
  layers.push(close)
  return () => void layers.splice(layers.indexOf(close), 1)
}

/** How to close what Back and Escape close next. */
export const topLayer = () => layers.at(-1)
