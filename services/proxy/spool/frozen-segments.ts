import type { Segment } from './segment.ts'

/** Segments whose ends stay in memory too; beyond that they are read back from disk. */
const keptInMemory = 8

/** Segments that nothing is added to any more and that still exist, oldest first. */
export class FrozenSegments {
  #segments: Segment[] = []

  get oldest(): Segment | undefined {
    return this.#segments[0]
  }

  unshipped(): IteratorObject<Segment> {
    return this.#segments.values().filter((segment) => !segment.shipped)
  }

  unshippedOf(shard: number): IteratorObject<Segment> {
    return this.unshipped().filter((segment) => segment.shard === shard)
  }

  add(segment: Segment): void {
    this.#segments.push(segment)
    const inMemory = this.#segments.filter((each) => each.text && !each.shipped && !each.memoryOnly)
    for (const old of inMemory.slice(keptInMemory)) old.dropText()
  }

  dropOldest(): void {
    this.#segments.shift()
  }
}
