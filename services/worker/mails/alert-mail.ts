import { describeCondition, formatMeasure } from '#schemas/alert-texts.ts'
import type { AlertEvent } from '#schemas/alert-message.ts'
import type { MailContent } from '#schemas/mails.ts'
import type { Block, CreateLink, Mail } from './mail.ts'
import { momentOf } from './zoned-texts.ts'

type AlertContent = Extract<MailContent, { kind: 'alert' }>

/** Maximum number of groups in a mail; a link leads to the others. */
const groupsShown = 10

const events: Record<AlertEvent, { subject: string; text: string }> = {
  firing: { subject: 'Alert', text: 'An alert fires' },
  resolved: { subject: 'Resolved', text: 'An alert is resolved' },
  test: { subject: 'Test', text: 'This is a test of an alert. Nothing has happened' },
}

export function alertMail({ event, message, timezone }: AlertContent, link: CreateLink): Omit<Mail, 'greeting'> {
  const { alert, condition, groups, filters, at } = message
  // Requests without a value are named as on the screen.
  const unnamed = condition.group === null ? 'Value' : 'None'
  const rows = groups
    .slice(0, groupsShown)
    .map(({ name, value }): [string, string] => [name || unnamed, formatMeasure(condition.measure, value)])
  const chosen: [string, string][] = filters.length > 0 ? [['Filters', filters.join('; ')]] : []
  const more: Block[] = groups.length > groupsShown ? [{ text: `And ${groups.length - groupsShown} more.` }] : []
  return {
    subject: `${events[event].subject}: ${alert.name}`,
    blocks: [
      { text: `${events[event].text}: ${describeCondition(condition)}.` },
      { rows: [...rows, ...chosen, ['When', momentOf(at, timezone)]] },
      ...more,
      link('Open the alerts', '/alerts'),
    ],
    footer: 'you get this because this alert sends mails.',
  }
}
