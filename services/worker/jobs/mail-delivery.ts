import { Counter, type Registry } from 'prom-client'
import { z } from 'zod'
import type { Logger } from '#core/logger.ts'
import { second } from '#core/units.ts'
import { MailContent } from '#schemas/mails.ts'
import type { DueMail, OutboxStore } from '#store/outbox.ts'
import type { SendMail } from '../mails/mailer.ts'
import type { ScheduledJob } from './schedule.ts'

/** With pauses that double up to six hours: about a day and a half. */
const maxAttempts = 14

/** A mail server's final word. */
const Refused = z.object({ responseCode: z.number().int().min(500) })

export interface MailDeliveryOptions {
  outbox: OutboxStore
  send: SendMail
  metrics: Registry
  logger: Logger
}

/** Sends the mails that are due, one after the other; what the mail server does not take is tried again later. */
export function mailDeliveryJob({ outbox, send, metrics, logger }: MailDeliveryOptions): ScheduledJob {
  const mails = new Counter({
    name: 'sallyport_mails_total',
    help: 'Mails by kind and by what came of the attempt to send them.',
    labelNames: ['kind', 'outcome'],
    registers: [metrics],
  })

  async function deliver({ id, recipient, attempts, content }: DueMail): Promise<void> {
    try {
      await send({ id, recipient, content: MailContent.parse(content) })
      await outbox.markSent(id)
      mails.inc({ kind: content.kind, outcome: 'sent' })
    } catch (error) {
      const isFinal = attempts >= maxAttempts || Refused.safeParse(error).success
      if (isFinal) await outbox.markFailed(id)
      mails.inc({ kind: content.kind, outcome: isFinal ? 'failed' : 'deferred' })
      logger.warn({ err: error, mail: id, attempts }, isFinal ? 'a mail was given up' : 'a mail could not be sent yet')
    }
  }

  return {
    name: 'mail-delivery',
    everyMs: 5 * second,
    async run() {
      for (let mail = await outbox.claim(); mail; mail = await outbox.claim()) await deliver(mail)
    },
  }
}
