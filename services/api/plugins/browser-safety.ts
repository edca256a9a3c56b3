import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'

export interface BrowserSafetyOptions {
  /** Whether people reach the site by HTTPS. */
  secure: boolean
  /** Origins of the payment provider; allowed on the pricing page only. */
  paymentOrigins: readonly string[]
}

const pricingPage = /^\/pricing\/?(?:\?|$)/

const directives = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  // Floating parts are placed by style attributes; no script is ever inline.
  styleSrc: ["'self'", "'unsafe-inline'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

/** Security headers for browsers. No page may be shown in a frame. */
export const browserSafety = fp<BrowserSafetyOptions>(
  async (app, { secure, paymentOrigins }) => {
    await app.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives },
      frameguard: { action: 'deny' },
      hsts: secure,
    })
    // Responses are of one account, and several people may share the machine.
    app.addHook('onRequest', async (request, reply) => {
      if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    })
    if (paymentOrigins.length === 0) return

    const allowed = ["'self'", ...paymentOrigins]
    const withPayments = {
      ...directives,
      scriptSrc: allowed,
      connectSrc: allowed,
      frameSrc: allowed,
      imgSrc: [...allowed, 'data:'],
    }
    app.addHook('onRequest', async (request, reply) => {
      if (!pricingPage.test(request.url)) return
      await reply.helmet({
        contentSecurityPolicy: { useDefaults: false, directives: withPayments },
        // The payment window reports back to the page that opened it.
        crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      })
    })
  },
  { name: 'browser-safety', dependencies: ['same-site', 'tester-calls'] },
)
