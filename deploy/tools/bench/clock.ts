/** Milliseconds of a clock that all processes and threads of a machine share, with an arbitrary origin. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
