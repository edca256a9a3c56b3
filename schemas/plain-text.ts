import { z } from 'zod'

/** Control characters, lone surrogates, and characters that change the direction of the text after them. */
const unprintable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u

/** One line that people type and read, trimmed. @param message shown when it is missing or empty */
export const requiredText = (label: string, max: number, message: string) =>
  z
    .string(message)
    .trim()
    .min(1, message)
    .max(max, { message: `${label} must be at most ${max} characters`, abort: true })
    .refine((text) => !unprintable.test(text), `${label} must not contain control characters`)

/** Like `requiredText`, but it may be missing or empty. */
export const optionalText = (label: string, max: number) =>
  z
    .string()
    .trim()
    .max(max, { message: `${label} must be at most ${max} characters`, abort: true })
    .refine((text) => !unprintable.test(text), `${label} must not contain control characters`)
    .optional()
