import type { IncomingMessage } from 'node:http'

/** The gateway's `Via` entry, by the HTTP version in which it received the message. */
const entries: Record<string, string> = { '1.0': '1.0 sallyport', '1.1': '1.1 sallyport' }

/** Providers are reached only over HTTP/1.1. */
export const viaProvider = '1.1 sallyport'

export const viaClient = ({ httpVersion }: IncomingMessage): string => entries[httpVersion] ?? viaProvider
