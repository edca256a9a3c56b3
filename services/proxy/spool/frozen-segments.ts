import type { Segment } from './segment.ts'

/** The text of further segments is read from disk. */
const maxInMemory = 8

/** Complete segments whose files still exist, oldest first. */
export class FrozenSegments {
  #segments: Segment[] = []

  get oldest(): Segment | undefined {
    return this.#segments[0]
  }

  unshipped(): IteratorObject<Segment> {
    return this.#segments.values().filter((segment) => !segment.shipped)
  }

  /** The oldest ones; those that can't be read only if there are too few others. */
  unshippedOf(shard: number, limit: number): Segment[] {
    const find = (isUnreadable: boolean) =>
      this.unshipped()
        .filter((segment) => segment.shard === shard && segment.isUnreadable === isUnreadable)
        .take(limit)
        .toArray()
    const readable = find(false)
    return readable.length === limit ? readable : [...readable, ...find(true)].slice(0, limit)
  }

  /** Whether ends of its requests may exist only in memory. Call it once none of them is in progress. */
  hasEndsInMemory(segment: Segment): boolean {
    segment.endsInMemory ??= this.#segments.filter(({ memoryOnly, shipped }) => memoryOnly && !shipped)
    return segment.endsInMemory.some(({ shipped }) => !shipped)
  }

  add(segment: Segment): void {
    this.#segments.push(segment)
    const inMemory = this.#segments.filter((each) => each.text && !each.shipped && !each.memoryOnly)
    for (const old of inMemory.slice(maxInMemory)) old.dropText()
  }

  dropOldest(): void {
    this.#segments.shift()
  }
}
