/** Where a value lies on a scale of xychart, px. The library's type takes no value, as it does not know the domain. */
export const positionOn = (scale: (value: never) => unknown, value: number | string) =>
  Number(scale(value as never)) || 0
