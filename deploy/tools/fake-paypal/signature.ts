import { createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { mintId } from './ledger.ts'

/** PayPal signs with a certificate; the fake verifies only its own messages, so a secret is enough. */
const secret = mintId()

const sign = (transmissionId: string, time: string, webhookId: string, event: string): string =>
  createHmac('sha256', secret)
    .update([transmissionId, time, webhookId, crc32(event)].join('|'))
    .digest('base64')

export function signatureHeaders(webhookId: string, event: string): Record<string, string> {
  const transmissionId = mintId()
  const time = new Date().toISOString()
  return {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/fake',
    'paypal-transmission-id': transmissionId,
    'paypal-transmission-sig': sign(transmissionId, time, webhookId, event),
    'paypal-transmission-time': time,
  }
}

const VerifyRequest = z.object({
  auth_algo: z.string(),
  cert_url: z.url(),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
  webhook_event: z.unknown(),
})

/**
 * @param text raw body of the call: like PayPal, the fake checks the event's exact bytes, so a reserialized event does
 * not verify
 */
export function isSigned(text: string): boolean {
  const request = VerifyRequest.parse(JSON.parse(text))
  const event = /"webhook_event":(?<event>.*)\}$/s.exec(text)?.groups?.event ?? ''
  const expected = sign(request.transmission_id, request.transmission_time, request.webhook_id, event)
  const sent = Buffer.from(request.transmission_sig)
  return sent.length === expected.length && timingSafeEqual(sent, Buffer.from(expected))
}
