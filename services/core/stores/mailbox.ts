import { createTransport, type Transporter } from 'nodemailer'

export type Mailbox = Transporter

/** Opens the mail server. Timeouts are short, because the outbox retries. */
export function openMailbox(smtpUrl: string): Mailbox {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
