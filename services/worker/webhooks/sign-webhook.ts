import { createHmac } from 'node:crypto'

/** Source: Standard Webhooks, "Signature scheme". @param secret `whsec_` and the key in base64 @param timestamp seconds since 1970 */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
