import { createParser } from 'eventsource-parser'
import { parseJson } from '#schemas/parse-json.ts'
import { assembleAnthropic } from './assemble-anthropic.ts'
import { assembleChoices } from './assemble-choices.ts'
import { assembleGoogle } from './assemble-google.ts'
import { assembleItems } from './assemble-items.ts'
import { assembleSteps } from './assemble-steps.ts'

export const isSse = (body: string) => /^\s*(?:data|event|id|retry|:)[^\n]*(?:\n|$)/.test(body) && /^data:/m.test(body)

/** The events of a stream, whose end may be missing. */
export function readEvents(body: string): unknown[] {
  const events: unknown[] = []
  const parser = createParser({ onEvent: ({ data }) => void events.push(parseJson(data)) })
  parser.feed(body)
  // A cut stream lacks the empty line that ends its last event.
  parser.feed('\n\n')
  return events
}

/** @returns the response as the provider would have sent it without streaming; undefined for events of another kind */
export const assembleStream = (events: readonly unknown[]): object | undefined =>
  assembleChoices(events) ??
  assembleItems(events) ??
  assembleAnthropic(events) ??
  assembleGoogle(events) ??
  assembleSteps(events)
