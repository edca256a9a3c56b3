/** Where the browser meets PayPal. */
export interface PayPalSites {
  /** PayPal's script for pages, version 6. */
  scriptUrl: string
  /** Origins that the script needs for code, frames and calls. */
  origins: string[]
}

const siteByApi: Record<string, string> = {
  'https://api-m.paypal.com': 'https://www.paypal.com',
  'https://api-m.sandbox.paypal.com': 'https://www.sandbox.paypal.com',
}

/** @param apiUrl PayPal's, its sandbox's, or a stand-in's, which serves both sides at one origin */
export function paypalSites(apiUrl: string): PayPalSites {
  const { origin } = new URL(apiUrl)
  const site = siteByApi[origin]
  return {
    scriptUrl: `${site ?? origin}/web-sdk/v6/core`,
    origins: site ? ['https://*.paypal.com', 'https://*.paypalobjects.com'] : [origin],
  }
}
