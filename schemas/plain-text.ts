import { z } from 'zod'

/** Control characters, lone surrogates and bidirectional overrides. */
const unprintable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u

const printable = (text: z.ZodString, label: string, max: number) =>
  text
    .max(max, { message: `${label} must be at most ${max} characters`, abort: true })
    .refine((value) => !unprintable.test(value), `${label} must not contain control characters`)

/** One trimmed line of text. @param message shown when it is missing or empty */
export const requiredText = (label: string, max: number, message: string) =>
  printable(z.string(message).trim().min(1, message), label, max)

/** Like `requiredText`, but it may be missing or empty. */
export const optionalText = (label: string, max: number) => printable(z.string().trim(), label, max).optional()
