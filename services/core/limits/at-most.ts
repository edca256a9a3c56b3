/**
 * The size of an `LRUCache`, in entries, for those that are large and seldom full: `max` would allocate room for all
 * entries at once, with twelve such caches 6 MB and 20 ms for each proxy.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
