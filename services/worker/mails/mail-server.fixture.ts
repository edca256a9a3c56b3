import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { listenLocally } from '#tools/process/listen.ts'

/** A fake mail server that keeps the mails. */
export async function startMailServer() {
  const mails: (Email & { recipient: string })[] = []
  /** Error codes for the next mails. */
  const rejections: number[] = []
  async function keep(stream: Readable, recipient: string): Promise<void> {
    const source = await buffer(stream)
    const responseCode = rejections.shift()
    if (responseCode) throw Object.assign(new Error('rejected'), { responseCode })
    mails.push({ ...(await PostalMime.parse(source)), recipient })
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const recipient = envelope.rcptTo.map(({ address }) => address).join()
      callbackify(keep)(stream, recipient, done)
    },
  })
  return {
    url: `smtp://127.0.0.1:${await listenLocally(server.server)}`,
    mails,
    rejections,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
