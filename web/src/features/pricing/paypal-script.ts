/** The part of PayPal's JavaScript SDK v6 that is used here. */
type PayPalInstance = {
  findEligibleMethods: (options: { currencyCode: string }) => Promise<{ isEligible: (method: string) => boolean }>
  createPayPalOneTimePaymentSession: (callbacks: PaymentCallbacks) => PaymentSession
}

type PaymentCallbacks = {
  onApprove: (data: { orderId: string }) => Promise<void> | void
  onCancel: (data: unknown) => void
  onError: (error: unknown) => void
}

export type PaymentSession = {
  start: (options: { presentationMode: 'auto' }, order: Promise<{ orderId: string }>) => Promise<void>
}

declare global {
  interface Window {
    paypal?: {
      createInstance: (options: {
        clientToken: string
        components: string[]
        pageType: string
      }) => Promise<PayPalInstance>
    }
  }
}

const loading = new Map<string, Promise<void>>()

/** Loads the payment provider's script once, on this page only. */
export function loadPayPalScript(url: string): Promise<void> {
  const known = loading.get(url)
  if (known) return known
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const script = document.createElement('script')
  script.src = url
  script.async = true
  script.addEventListener('load', () => resolve())
  script.addEventListener('error', () => {
    script.remove()
    // Allows another attempt.
    loading.delete(url)
    reject(new Error('The payment provider’s script could not be loaded.'))
  })
  document.head.append(script)
  loading.set(url, promise)
  return promise
}
