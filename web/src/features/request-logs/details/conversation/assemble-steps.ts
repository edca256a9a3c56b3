import { z } from 'zod'

const Event = z.object({
  event_type: z.string(),
  index: z.number().default(0),
  step: z.looseObject({ type: z.string() }).optional(),
  delta: z
    .object({
      type: z.string(),
      text: z.string().default(''),
      arguments: z.string().default(''),
      content: z.object({ text: z.string().default('') }).optional(),
    })
    .optional()
    .catch(undefined),
  interaction: z.object({ status: z.string().nullish() }).optional(),
})

interface OpenStep {
  step: object
  text: string
  call: string
  thought: string
}

/** Assembles a stream of an interaction at Google, whose last event has no steps. */
export function assembleSteps(events: readonly unknown[]): object | undefined {
  const steps = new Map<number, OpenStep>()
  let status: string | null | undefined
  for (const each of events) {
    const event = Event.safeParse(each).data
    if (!event) continue
    const { index, step, delta, interaction } = event
    status = interaction?.status ?? status
    if (!step && !delta) continue
    const open = steps.get(index) ?? { step: { type: 'model_output' }, text: '', call: '', thought: '' }
    steps.set(index, step ? { ...open, step } : open)
    if (delta?.type === 'text') open.text += delta.text
    open.call += delta?.arguments ?? ''
    open.thought += delta?.content?.text ?? ''
  }
  return steps.size > 0 ? { status, steps: [...steps.values()].map(whole) } : undefined
}

const whole = ({ step, text, call, thought }: OpenStep): object => ({
  ...step,
  ...(text && { content: [{ type: 'text', text }] }),
  ...(call && { arguments: call }),
  ...(thought && { summary: [{ type: 'text', text: thought }] }),
})
