import { z } from 'zod'

export const count = z.number().int().nonnegative()

/** A sum of whole numbers. Above 2^53, such as 9 million dollars in billionths, it is rounded to the nearest number. */
export const sum = z.number().nonnegative()

/** @param message the same for anything but a whole number in this range */
export const wholeNumber = (min: number, max: number, message: string) =>
  z.number(message).int(message).min(min, message).max(max, message)

/** For text that is no number, such as `0,5`. */
export const numberMessage = (label: string) => `${label} must be a number such as 0.5, with a decimal point`
