import { z } from 'zod'

/** Control characters, lone surrogates and bidirectional overrides. */
const unprintable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u

/** Characters such as the Hangul filler and the blank of Braille are no spaces, but show nothing either. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

const printable = (text: z.ZodString, label: string, max: number) =>
  text
    .max(max, { message: `${label} must be at most ${max} characters`, abort: true })
    .refine((value) => !unprintable.test(value), `${label} must not contain control characters`)

/** One trimmed line of text. @param message shown when it is missing or empty */
export const requiredText = (label: string, max: number, message: string) =>
  printable(z.string(message).trim().min(1, { message, abort: true }), label, max)

/** Like `requiredText`, but some of it must be visible. */
export const requiredName = (label: string, max: number, message: string) =>
  requiredText(label, max, message).refine((value) => visible.test(value), message)

/** Like `requiredText`, but it may be missing or empty. */
export const optionalText = (label: string, max: number) => printable(z.string().trim(), label, max).optional()
