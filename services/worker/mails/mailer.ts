import type { Mailbox } from '#core/stores/mailbox.ts'
import type { MailContent } from '#schemas/mails.ts'
import { renderMail } from './mail.ts'
import { composeMail } from './templates.ts'

/** Sends a mail; the id identifies it if it is sent again. */
export type SendMail = (mail: {
  id: string
  recipient: string
  content: MailContent
  /** For a mail with a one-time link. */
  linkSecret?: string | undefined
}) => Promise<void>

interface MailerOptions {
  mailbox: Mailbox
  from: string
  siteUrl: string
}

export function createMailer({ mailbox, from, siteUrl }: MailerOptions): SendMail {
  const host = from.slice(from.lastIndexOf('@') + 1).replace('>', '')
  return async ({ id, recipient, content, linkSecret }) => {
    await mailbox.sendMail({
      from,
      // An object is a single address, whatever characters it contains.
      to: { name: '', address: recipient },
      messageId: `<${id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...renderMail(composeMail(content, siteUrl, linkSecret)),
    })
  }
}
