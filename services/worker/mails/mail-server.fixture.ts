import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { listenLocally } from '#tools/process/listen.ts'

/** A fake mail server that keeps the mails. */
export async function startMailServer() {
  const mails: (Email & { recipient: string })[] = []
  /** Error codes for the next mails, and for the next times that it is told who sends one. */
  const rejections: number[] = []
  const senderRejections: number[] = []
  async function keep(stream: Readable, recipient: string): Promise<void> {
    const source = await buffer(stream)
    const responseCode = rejections.shift()
    if (responseCode) throw rejection(responseCode, `<${recipient}> rejected`)
    mails.push({ ...(await PostalMime.parse(source)), recipient })
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom(_sender, _session, done) {
      const responseCode = senderRejections.shift()
      done(responseCode ? rejection(responseCode) : null)
    },
    onData(stream, { envelope }, done) {
      const recipient = envelope.rcptTo.map(({ address }) => address).join()
      callbackify(keep)(stream, recipient, done)
    },
  })
  return {
    url: `smtp://127.0.0.1:${await listenLocally(server.server)}`,
    mails,
    rejections,
    senderRejections,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const rejection = (responseCode: number, message = 'rejected') => Object.assign(new Error(message), { responseCode })
