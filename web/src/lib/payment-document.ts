const isPaymentPage = (path: string) => /^\/pricing\/?$/.test(path)

const isLoadedForPayments = isPaymentPage(window.location.pathname)

/**
 * Whether a screen has to be loaded as a document of its own: a document keeps the policy that it came with, and the
 * payment provider is let in by that of the prices alone. Its script stays behind there.
 */
export const needsOwnDocument = (path: string) => isPaymentPage(path) !== isLoadedForPayments
