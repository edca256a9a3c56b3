/** Position of a value on an xychart scale, px. The library's union of scale types accepts no common argument. */
export const positionOn = (scale: unknown, value: number) => (typeof scale === 'function' ? Number(scale(value)) : 0)
