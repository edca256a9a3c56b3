/** Smaller differences come from the network, and from a header that has whole seconds, ms. */
const tolerated = 60_000

let difference = 0

/** Compares this device's clock with that of the gateway. */
export function noteGatewayTime({ headers }: Response) {
  const measured = Date.parse(headers.get('date') ?? '') - Date.now()
  difference = Math.abs(measured) > tolerated ? measured : 0
}

/** The time, ms since 1970: the gateway's where this device's clock is wrong. */
export const gatewayNow = () => Date.now() + difference
