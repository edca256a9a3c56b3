/** Milliseconds of a clock shared by all processes and threads of a machine, with an arbitrary origin. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
