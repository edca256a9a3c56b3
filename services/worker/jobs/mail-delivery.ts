import { Counter, type Registry } from 'prom-client'
import { z } from 'zod'
import { messageOf } from '#core/errors.ts'
import type { Logger } from '#core/logger.ts'
import { day, hour, second } from '#core/units.ts'
import { undoEmailHours } from '#schemas/account.ts'
import { type LinkMailKind, MailContent } from '#schemas/mails.ts'
import type { NewLink } from '#store/postgres/sign-in/one-time-links.ts'
import type { DueMail, OutboxStore } from '#store/postgres/mails/outbox.ts'
import type { SendMail } from '../mails/mailer.ts'
import type { ScheduledJob } from './schedule.ts'

/** With a backoff of up to six hours, these take about a day and a half. */
const maxAttempts = 14

/** An error of the recipient or the mail. Others, such as a failed login to the mail server, end once an operator acts. */
const PermanentError = z.object({ responseCode: z.number().int().min(500), command: z.enum(['RCPT TO', 'DATA']) })

const outcomes = ['sent', 'deferred', 'failed', 'capped'] as const

/**
 * How long the link in a mail is valid after sending. Strangers can request all the mails that an address gets in a day,
 * so one of their links must still be valid when its owner needs it.
 */
const linkLifetimesMs: Record<LinkMailKind, number> = {
  'confirm-email': 3 * day,
  'reset-password': day,
  'email-changed': undoEmailHours * hour,
}
const isLinkMail = (kind: MailContent['kind']): kind is LinkMailKind => kind in linkLifetimesMs

interface MailDeliveryOptions {
  outbox: OutboxStore
  /** @returns the secret of a new link for this mail */
  issueLink: (accountId: string, link: NewLink) => Promise<string>
  send: SendMail
  metrics: Registry
  logger: Logger
}

/** Sends due mails one after another, and retries failed ones later. */
export function mailDeliveryJob({ outbox, issueLink, send, metrics, logger }: MailDeliveryOptions): ScheduledJob {
  const mails = new Counter({
    name: 'sallyport_mails_total',
    help: 'Mails by kind and by the outcome of the attempt to send them.',
    labelNames: ['kind', 'outcome'],
    registers: [metrics],
  })
  // Prometheus sees an increase only from a count that was there before.
  for (const { shape } of MailContent.options)
    for (const outcome of outcomes) mails.inc({ kind: shape.kind.value, outcome }, 0)

  async function deliver({ id, accountId, recipient, attempts, content }: DueMail): Promise<void> {
    if (attempts === 1 && !(await outbox.countMail(recipient, content.kind))) {
      await outbox.markFailed(id)
      mails.inc({ kind: content.kind, outcome: 'capped' })
      return
    }
    try {
      const linkSecret = isLinkMail(content.kind)
        ? await issueLink(accountId, {
            purpose: content.kind,
            email: recipient,
            validMs: linkLifetimesMs[content.kind],
          })
        : undefined
      await send({ id, recipient, content: MailContent.parse(content), linkSecret })
      await outbox.markSent(id)
      mails.inc({ kind: content.kind, outcome: 'sent' })
    } catch (error) {
      const isFinal = attempts >= maxAttempts || PermanentError.safeParse(error).success
      if (isFinal) await outbox.markFailed(id)
      mails.inc({ kind: content.kind, outcome: isFinal ? 'failed' : 'deferred' })
      // The server's reply quotes the address, which would stay in the log of the process when its account is deleted. It
      // has the domain in lower case.
      const address = new RegExp(RegExp.escape(recipient), 'gi')
      const reason = messageOf(error).replaceAll(address, '[recipient]')
      logger.warn(
        { reason, mail: id, attempts },
        isFinal ? 'a mail could not be sent; no more attempts' : 'a mail could not be sent; trying again later',
      )
    }
  }

  return {
    name: 'mail-delivery',
    everyMs: 5 * second,
    async run(stopping) {
      for (;;) {
        const mail = stopping?.aborted ? undefined : await outbox.claim()
        if (!mail) return
        await deliver(mail)
      }
    },
  }
}
