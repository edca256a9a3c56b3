import { setTimeout as sleep } from 'node:timers/promises'
import { type LedgerEntry, Load } from '#tools/load/load.ts'
import { compareWithLedger, type LedgerComparison } from './compare-with-ledger.ts'
import type { RedisProcess } from '#tools/stack/redis-process.ts'
import type { ServiceStack } from '#tools/stack/service-stack.ts'

export interface FaultCase<Redis = RedisProcess> {
  /** Row of faults.md. */
  row: number
  name: string
  /** Part of `npm test`. */
  isShort?: true
  /** Requests may fail while the fault lasts; otherwise none may. */
  mayFail?: true
  /** Requests per second; default 60, and half of that in the short set. */
  rate?: number
  /** How long the pipeline may take to become idle again, ms. */
  catchUpMs?: number
  /** The URL that requests are sent to; default: the proxy's own. */
  entrance?(stack: ServiceStack<Redis>): Promise<string>
  /** Causes the fault under load and ends it. @returns problems that the ledger does not show */
  run(stack: ServiceStack<Redis>, context: FaultContext): Promise<string[] | void>
}

export interface FaultContext {
  short: boolean
  /** Runs throughout the fault. */
  load: Load
}

export interface CaseResult extends Omit<LedgerComparison, 'detailsDifference'> {
  row: number
  name: string
  problems: string[]
}

/** A fault that needs separate services and stores. */
export interface OwnStackCase {
  row: number
  name: string
  /**
   * Starts them, causes the fault under load, evaluates it and stops.
   * @param stack has the programs and the provider
   */
  runAlone(stack: ServiceStack): Promise<CaseResult>
}

/** Duration of the load before and after a fault; halved in the short set. */
const leadInMs = 1_000
const leadOutMs = 1_500

/** A finished fault with its client's ledger; the pipeline may still be catching up. */
export interface ProvokedCase {
  fault: Pick<FaultCase, 'row' | 'name' | 'mayFail' | 'catchUpMs'>
  tokenId: string
  ledger: readonly LedgerEntry[]
  problems: readonly string[]
}

/** Runs one fault under load. */
export async function provoke<Redis>(
  stack: ServiceStack<Redis>,
  fault: FaultCase<Redis>,
  short: boolean,
): Promise<ProvokedCase> {
  const name = `row${fault.row}-${fault.name.replaceAll(/\W+/g, '-')}`
  const { id: tokenId, token } = await stack.newToken(name)
  const url = (await fault.entrance?.(stack)) ?? stack.proxyUrl
  const part = short ? 0.5 : 1
  const load = new Load({ url, token, rate: fault.rate ?? 60 * part, name })
  await sleep(leadInMs * part)
  const problems = (await fault.run(stack, { short, load })) ?? []
  await sleep(leadOutMs * part)
  return { fault, tokenId, ledger: await load.stop(), problems }
}

/** Waits until the pipeline is idle, and evaluates a fault by the client's ledger. */
export async function evaluateFault(
  stack: ServiceStack<unknown>,
  { fault, tokenId, ledger, problems: found }: ProvokedCase,
): Promise<CaseResult> {
  const { wrong, ...comparison } = await compareWithLedger(stack, tokenId, ledger, fault.catchUpMs ?? 60_000)
  const problems = [...found, ...wrong.map((entry) => `wrong: ${entry}`)]
  if (comparison.lost > 0) problems.push(`${comparison.lost} lost`)
  if (comparison.duplicated > 0) problems.push(`${comparison.duplicated} duplicated`)
  if (comparison.detailsDifference !== 0) problems.push(`details differ by ${comparison.detailsDifference}`)
  if (comparison.rollupDifference !== 0) problems.push(`rollups differ by ${comparison.rollupDifference}`)
  if (comparison.accountDifference !== 0) problems.push(`the counters differ by ${comparison.accountDifference}`)
  if (!fault.mayFail && comparison.failed > 0) {
    const first = ledger.find(({ completed, status = 0 }) => !completed || status >= 500)
    problems.push(`${comparison.failed} requests failed, first ${JSON.stringify(first)}`)
  }
  return { row: fault.row, name: fault.name, ...comparison, problems }
}
