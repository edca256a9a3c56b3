/** Milliseconds since 1970 in the first 48 bits of a UUIDv7. */
export const uuidTimeMs = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
