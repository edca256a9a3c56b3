import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceStack } from '#tools/stack/service-stack.ts'
import type { FaultCase } from './fault-case.ts'
import { within } from './within.ts'

export const budgetCase: FaultCase = {
  row: 32,
  name: 'kill -9 of one of three proxies that spend a budget',
  run: spendBudget,
}

const budgetUsd = 1
const streamsAtOnce = 200
/** A stream takes 4 s and costs about $0.002, so the budget is spent in several rounds. */
const key = 'sk-budget.chunks=160.chunk-delay-ms=25'
const model = 'gpt-4o'
const [usdPerPromptToken, usdPerCompletionToken] = [2.5e-6, 10e-6]
const mostOver = 1.01
const leastSpent = 0.9
const freeWithinMs = 60_000

interface Usage {
  prompt_tokens: number
  completion_tokens: number
}

/** What the provider has sent, by what clients saw of it. */
class Spending {
  usd = 0

  piece(): void {
    this.usd += usdPerCompletionToken
  }

  ended(usage: Usage, pieces: number): void {
    this.usd -= pieces * usdPerCompletionToken
    this.usd += usage.prompt_tokens * usdPerPromptToken + usage.completion_tokens * usdPerCompletionToken
  }
}

/** 200 clients send one stream after the other until the budget is used up; one of three proxies dies meanwhile. */
async function spendBudget(stack: ServiceStack): Promise<string[]> {
  const account = await stack.newAccount({ username: 'budget', key })
  const { id, token } = await account.newToken('budget', { dailyBudgetUsd: budgetUsd })
  const others = [await stack.service('proxy'), await stack.service('proxy')]
  await Promise.all(others.map(({ process }) => process.start()))
  const victim = others[0]!
  const urls = [stack.proxyUrl, ...others.map(({ port }) => `http://127.0.0.1:${port}`)]
  const spending = new Spending()
  const early: string[] = []
  const note = (what: string) => {
    if (spending.usd < leastSpent * budgetUsd) early.push(`${what} at $${spending.usd.toFixed(3)}`)
  }
  const client = async (index: number) => {
    for (let url = urls[index % urls.length]!; ;) {
      const end = await stream(url, token, spending)
      if (end === 'broken') url = stack.proxyUrl
      else if (end !== 'whole') return note(end)
    }
  }
  const clients = Promise.all(Array.from({ length: streamsAtOnce }, (_, index) => client(index)))
  await sleep(6_000)
  await victim.process.kill()
  const killedAt = performance.now()
  await clients
  const redis = stack.stateRedis
  const day = new Date().toISOString().slice(0, 10)
  const find = async (kind: string) => String(await redis.command('KEYS', `${kind}:{*}:${id}:${day}`))
  const holdsKey = await find('holds')
  const held = async () => {
    const states = String(await redis.command('HVALS', holdsKey))
      .split(/[\n,]/)
      .map((state) => state.trim().split(' ').map(Number))
    return states.reduce((sum, [nanoUsd = 0, , , expires = 0]) => sum + (expires > Date.now() ? nanoUsd : 0), 0)
  }
  const isFree = await within(freeWithinMs, async () => (await held()) === 0)
  console.log(`  nothing is held ${Math.round((performance.now() - killedAt) / 1_000)} s after the kill`)
  // The next request finds what the dead proxy had used.
  await stream(stack.proxyUrl, token, spending)
  await sleep(500)
  const metered = Number(await redis.command('GET', await find('spend'))) / 1e9
  console.log(`  spent $${spending.usd.toFixed(4)}, metered $${metered.toFixed(4)}`)
  return [
    ...(spending.usd <= budgetUsd * mostOver ? [] : [`$${spending.usd} were spent`]),
    ...(spending.usd - metered <= budgetUsd * (mostOver - 1) ? [] : [`$${metered} of $${spending.usd} were metered`]),
    ...(early.length === 0 ? [] : [`${early.length} were rejected early, first ${early[0]}`]),
    ...(isFree ? [] : [`${await held()} nano-USD are still held a minute after the kill`]),
  ]
}

/** Sends one stream. @returns how it ended: an error's code, or `broken` with its proxy */
async function stream(url: string, token: string, spending: Spending): Promise<string> {
  let pieces = 0
  let text = ''
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
    if (!response.ok) return codeIn(await response.text()) ?? String(response.status)
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const now = text.split('"delta":').length - 1
      for (; pieces < now; pieces += 1) spending.piece()
    }
  } catch {
    return 'broken'
  }
  const usage = /"usage":(\{.*?\})\}?\n/.exec(text.slice(text.lastIndexOf('"usage":{')))?.[1]
  const code = codeIn(text)
  if (code) return code
  if (usage) spending.ended(JSON.parse(usage.slice(0, usage.lastIndexOf('}') + 1)) as Usage, pieces)
  return 'whole'
}

const codeIn = (text: string): string | undefined => /"code":"(\w+)"/.exec(text)?.[1]
