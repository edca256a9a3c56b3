import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'

interface BrowserSafetyOptions {
  /** True if users reach the site by HTTPS. */
  secure: boolean
  /** Origins of the payment provider, allowed only in the document of a payment. */
  paymentOrigins: readonly string[]
}

const paymentPage = /^\/pricing\/?\?(?:.*&)?pay=true(?:&|$)/

const directives = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  // Style attributes position popovers and tooltips.
  styleSrc: ["'self'", "'unsafe-inline'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

/** Security headers for browsers. */
export const browserSafety = fp<BrowserSafetyOptions>(
  async (app, { secure, paymentOrigins }) => {
    await app.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives },
      frameguard: { action: 'deny' },
      // Whether other hosts of the domain use HTTPS is not this server's decision.
      hsts: secure && { includeSubDomains: false },
    })
    // Several users may share a browser.
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
      if (!paymentPage.test(request.url)) return
      await reply.helmet({
        contentSecurityPolicy: { useDefaults: false, directives: withPayments },
        // The payment window reports back to the page that opened it.
        crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      })
    })
  },
  { name: 'browser-safety', dependencies: ['request-origin'] },
)
