/** The time in a UUIDv7, ms since 1970. */
export const uuidTimeMs = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
