import type { Transporter } from 'nodemailer'

export type Mailbox = Transporter

/** Opens the mail server. Timeouts are short, because the outbox retries. Imports the client only where mails are sent. */
export async function openMailbox(smtpUrl: string): Promise<Mailbox> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
