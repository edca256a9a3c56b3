/**
 * The size of an `LRUCache`, in entries, for those that are large and seldom full: `max` would allocate room for all
 * entries at once.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
