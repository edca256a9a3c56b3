import { z } from 'zod'
import { countTokens } from './text.ts'

const tokens = z.array(z.number().int().min(0)).min(1)

/** One prompt as text or token ids, or several; parsed to a list. */
export const Prompts = z.union([
  z.string().transform((text) => [text]),
  z.array(z.string()).min(1).max(2_048),
  tokens.transform((ids) => [ids]),
  z.array(tokens).min(1).max(2_048),
])
export type Prompt = z.infer<typeof Prompts>[number]

export const promptText = (prompt: Prompt): string => (typeof prompt === 'string' ? prompt : prompt.join(' '))

export const countPromptTokens = (prompts: readonly Prompt[]): number =>
  prompts.reduce((sum, prompt) => sum + (typeof prompt === 'string' ? countTokens(prompt) : prompt.length), 0)
