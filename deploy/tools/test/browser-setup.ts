import { createFakePayPal, fakeAccount } from '#tools/fake-paypal/server.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { addOperator } from '#tools/stack/operator.ts'
import { startStack } from '#tools/stack/launched-stack.ts'

/**
 * Starts the embedded stack in front of the sample provider, and sets STACK_URL to its address for the browser tests.
 * @returns a function that stops everything
 */
export default async function startBrowserStack(): Promise<() => Promise<void>> {
  const provider = createProvider()
  const providerUrl = await provider.listen({ host: '127.0.0.1', port: 0 })
  const paypal = createFakePayPal()
  const paypalUrl = await paypal.app.listen({ host: '127.0.0.1', port: 0 })
  const stack = await startStack({
    env: {
      PROVIDER_BASE_URL: providerUrl,
      ...fakeAccount,
      PAYPAL_API_URL: paypalUrl,
    },
  })
  await addOperator(stack)
  process.env['STACK_URL'] = stack.url
  return async () => {
    await stack.stop()
    await provider.close()
    await paypal.app.close()
  }
}
