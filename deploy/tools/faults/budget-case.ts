import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ServiceStack } from '#tools/stack/service-stack.ts'
import type { FaultCase } from './fault-case.ts'
import { within } from '#tools/process/within.ts'

export const budgetCase: FaultCase = {
  row: 32,
  name: 'kill -9 of one of three proxies that spend a budget',
  run: spendBudget,
}

const budgetUsd = 1
const streamsAtOnce = 200
/** All streams together spend $0.04/s: even on a busy machine, the data in flight costs under 1 % of the budget. */
const key = 'sk-budget.chunks=160.chunk-delay-ms=100'
const model = 'gpt-4o'
/** As counted by the sample provider. */
const [promptTokens, charsPerToken] = [6, 4]
const [usdPerPromptToken, usdPerCompletionToken] = [2.5e-6, 10e-6]
const mostOver = 1.01
const leastSpent = 0.9
const freeWithinMs = 60_000

const Failed = z.object({ error: z.object({ code: z.string() }) })
const Choice = z.object({ delta: z.object({ content: z.string().default('') }) })
/** An event with a piece of text, or the last meaningful one, with the stream's usage or the error that ended it. */
const StreamEvent = Failed.partial().extend({
  choices: z.array(Choice).default([]),
  usage: z.object({ completion_tokens: z.number() }).nullish(),
})

/** A token's budget of today in Redis. */
function openBudget(redis: ServiceStack['stateRedis'], tokenId: string) {
  const keyOf = async (kind: string) => {
    const day = new Date().toISOString().slice(0, 10)
    return String(await redis.command('KEYS', `${kind}:{*}:${tokenId}:${day}`)).trim()
  }
  /** Each proxy's reservations, the used part of them, the cost of its ended requests, and the expiry of the state. */
  const readStates = async () => {
    const lines = String(await redis.command('HVALS', await keyOf('holds')))
    return lines.split(/[\n,]/).map((state) => state.trim().split(' ').map(Number))
  }
  /** Cost of ended requests. */
  const meteredUsd = async () => Number(await redis.command('GET', await keyOf('spend'))) / 1e9
  return {
    meteredUsd,
    async reservedNanoUsd() {
      const states = await readStates()
      return states.reduce((sum, [reserved = 0, , , expires = 0]) => sum + (expires > Date.now() ? reserved : 0), 0)
    },
    /** Cost of ended and open requests. */
    async spentUsd() {
      const [metered, states] = await Promise.all([meteredUsd(), readStates()])
      return metered + states.reduce((sum, [, used = 0]) => sum + used, 0) / 1e9
    },
  }
}

/** The cost of the provider's output, derived from what the clients received. */
interface Spending {
  usd: number
}

/** 200 clients send one stream after the other until the budget is used up; one of three proxies dies meanwhile. */
async function spendBudget(stack: ServiceStack): Promise<string[]> {
  const account = await stack.newAccount({ username: 'budget', key })
  const { id, token } = await account.newToken('budget', { dailyBudgetUsd: budgetUsd })
  const others = [await stack.service('proxy'), await stack.service('proxy')]
  await Promise.all(others.map(({ process }) => process.start()))
  const victim = others[0]!
  const urls = [stack.proxyUrl, ...others.map(({ port }) => `http://127.0.0.1:${port}`)]
  const spending: Spending = { usd: 0 }
  const budget = openBudget(stack.stateRedis, id)
  let firstRejection: Promise<{ code: string; spentUsd: number }> | undefined
  const client = async (index: number) => {
    for (let url = urls[index % urls.length]!; ;) {
      const end = await stream(url, token, spending)
      if (end === 'broken') url = stack.proxyUrl
      else if (end !== 'whole') {
        firstRejection ??= budget.spentUsd().then((spentUsd) => ({ code: end, spentUsd }))
        return
      }
    }
  }
  const clients = Promise.all(Array.from({ length: streamsAtOnce }, (_, index) => client(index)))
  await sleep(15_000)
  await victim.process.kill()
  const killedAt = performance.now()
  await clients
  const isFree = await within(freeWithinMs, async () => (await budget.reservedNanoUsd()) === 0)
  console.log(`  nothing is reserved ${Math.round((performance.now() - killedAt) / 1_000)} s after the kill`)
  // The next request counts as spent what the dead proxy had used.
  await stream(stack.proxyUrl, token, spending)
  await sleep(500)
  const metered = await budget.meteredUsd()
  const { code, spentUsd } = (await firstRejection) ?? { code: 'none', spentUsd: 0 }
  console.log(`  spent $${spending.usd.toFixed(4)}, metered $${metered.toFixed(4)}`)
  console.log(`  first rejection (${code}) when $${spentUsd.toFixed(4)} were spent`)
  return [
    ...(spending.usd <= budgetUsd * mostOver ? [] : [`$${spending.usd} were spent`]),
    ...(Math.abs(spending.usd - metered) <= budgetUsd * (mostOver - 1)
      ? []
      : [`$${metered} of $${spending.usd} were metered`]),
    ...(spending.usd >= budgetUsd * leastSpent ? [] : [`only $${spending.usd} were spent`]),
    ...(spentUsd >= budgetUsd * leastSpent ? [] : [`${code} when only $${spentUsd} were spent`]),
    ...(isFree ? [] : [`${await budget.reservedNanoUsd()} nano-USD are still reserved a minute after the kill`]),
  ]
}

/** Sends one stream. @returns how it ended: an error's code, or `broken` with its proxy */
async function stream(url: string, token: string, spending: Spending): Promise<string> {
  let isWhole = false
  try {
    const response = await fetch(`${url}/api/proxy/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        stream: true,
        stream_options: { include_usage: true },
        messages: [{ role: 'user', content: 'Tell me about gates.' }],
      }),
    })
    if (!response.ok) return Failed.parse(await response.json()).error.code
    spending.usd += promptTokens * usdPerPromptToken
    const lines = createInterface({ input: Readable.fromWeb(response.body!) })
    for await (const line of lines) {
      if (!line.startsWith('data: {')) continue
      const { choices, error, usage } = StreamEvent.parse(JSON.parse(line.slice('data: '.length)))
      if (error) return error.code
      for (const { delta } of choices) spending.usd += (delta.content.length / charsPerToken) * usdPerCompletionToken
      isWhole = Boolean(usage)
    }
  } catch {
    return 'broken'
  }
  return isWhole ? 'whole' : 'broken'
}
