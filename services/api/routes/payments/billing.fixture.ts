import { pino } from 'pino'
import { afterAll, expect, onTestFinished } from 'vitest'
import { createFakePayPal, fakeAccount } from '#tools/fake-paypal/server.ts'
import { createTestDatabase } from '#tools/test/stores.ts'
import { planTable } from '#schemas/plans.ts'
import { createHttpServer } from '#core/http/http-server.ts'
import { day } from '#core/units.ts'
import type { Sql } from '#core/stores/postgres.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { createOrderStore } from '#store/postgres/orders.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import type { QuotaUsageStore } from '#store/redis/quota-usage.ts'
import { createPayPal } from '../../payments/paypal.ts'
import { paypalSites } from '../../payments/billing.ts'
import { errorHandler } from '../../plugins/errors.ts'
import { fakeSession } from '../../plugins/session.fixture.ts'
import type { Throttle } from '../../sign-in/throttle.ts'
import { billingRoutes } from './billing.ts'
import { paypalWebhookRoutes } from './paypal-webhook.ts'

const readNothing: QuotaUsageStore['read'] = async () => ({ today: 2, month: 0 })
const countSome: UsageStore['counted'] = async () => ({ today: 2, month: 40 })
const countNothing: Throttle['count'] = async () => undefined
const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = fakeAccount

export const daysUntil = (iso: string) => (Date.parse(iso) - Date.now()) / day

/** Billing with a database of its own, for the tests of a file. */
export async function openBilling() {
  const { sql, drop } = await createTestDatabase()
  const billing = await startBilling(sql)
  afterAll(async () => {
    await billing.stop()
    await drop()
  })
  return { billing, sql }
}

/** The billing routes with a fake PayPal, signed in as the account in the `x-account` header. */
export async function startBilling(sql: Sql) {
  const fakePayPal = createFakePayPal()
  const apiUrl = await fakePayPal.app.listen({ host: '127.0.0.1', port: 0 })
  const paypal = createPayPal({ clientId, clientSecret, apiUrl })
  const invalidated: string[] = []
  const invalidate = async (accountId: string) => void invalidated.push(accountId)
  const orders = createOrderStore(sql, invalidate)
  const payments = { ...paypalSites(apiUrl), paypal, webhookId }

  let readQuota = readNothing
  let countLogged = countSome
  let count = countNothing
  const forgiven: string[] = []
  const throttle = {
    count: (...call: Parameters<typeof count>) => count(...call),
    forgive: async (name: string) => void forgiven.push(name),
  }
  const app = createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }))
  await app.register(errorHandler)
  await app.register(paypalWebhookRoutes, { orders, payments, throttle })
  await app.register(fakeSession)
  await app.register(billingRoutes, {
    subscriptions: createPlanStore(sql, invalidate),
    orders,
    usage: { counted: (accountId) => countLogged(accountId) },
    quotaUsage: { read: (accountId) => readQuota(accountId) },
    plans: planTable({ basic: { tokens: 6, requestsPerDay: 100 } }),
    throttle,
    payments,
    contactEmail: 'sales@example.com',
  })

  const post = async (accountId: string, url: string, payload?: object) => {
    const response = await app.inject({ method: 'POST', url, payload, headers: { 'x-account': accountId } })
    return { status: response.statusCode, body: response.json() }
  }
  const order = async (accountId: string): Promise<string> =>
    (await post(accountId, '/api/paypal/order', { amount: '29.00', currency: 'USD', intent: 'CAPTURE' })).body.id
  const capture = (accountId: string, orderId: string) => post(accountId, `/api/paypal/order/${orderId}/capture`)

  return {
    app,
    paypal: fakePayPal,
    invalidated,
    forgiven,
    /** Also forgets what was forgiven. */
    setThrottle(change: Throttle['count']) {
      count = change
      forgiven.length = 0
    },
    setQuotaUsage: (read: QuotaUsageStore['read']) => (readQuota = read),
    /** Until the end of the test. */
    setLoggedUsage(read: UsageStore['counted']) {
      countLogged = read
      onTestFinished(() => void (countLogged = countSome))
    },
    newAccount: () => insertAccount(sql),
    post,
    get: async (accountId: string, url: string) =>
      (await app.inject({ url, headers: { 'x-account': accountId } })).json(),
    /** Creates an order as the web app does. @returns its id at PayPal */
    order,
    capture,
    /** A new account's order that its buyer has approved. @param bank how the payment goes */
    async approved(bank?: Parameters<typeof fakePayPal.ledger.approve>[1]) {
      const accountId = await insertAccount(sql)
      const orderId = await order(accountId)
      fakePayPal.ledger.approve(orderId, bank)
      return { accountId, orderId }
    },
    /** Pays for a month. @returns the order's id at PayPal */
    async paid(accountId: string): Promise<string> {
      const orderId = await order(accountId)
      fakePayPal.ledger.approve(orderId)
      expect(await capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'captured' } })
      return orderId
    },
    ledgerOrder: (orderId: string) => fakePayPal.ledger.get(orderId),
    actionsOf: async (accountId: string) =>
      (await sql`select action from audit_entries where account_id = ${accountId} order by id`).map(
        ({ action }) => action,
      ),
    async webhook(message: { body: string; headers: Record<string, string> }) {
      const { body: payload, headers } = message
      return (await app.inject({ method: 'POST', url: '/api/paypal/webhook', payload, headers })).statusCode
    },
    async stop() {
      await app.close()
      await fakePayPal.app.close()
    },
  }
}
