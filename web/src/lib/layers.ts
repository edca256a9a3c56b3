/** A dialog, drawer or panel that is open. */
export type Layer = {
  close: () => void
  /** It was opened with a history entry of its own, so that Back closes it anyway. */
  hasEntry: boolean
}

const layers: Layer[] = []

/** @returns how to take it away */
export function addLayer(layer: Layer): () => void {
  layers.push(layer)
  return () => void layers.splice(layers.indexOf(layer), 1)
}

/** The layer that Back and Escape close next. */
export const topLayer = () => layers.at(-1)
