import { setTimeout as sleep } from 'node:timers/promises'
import { Load, type LoadOptions } from './load.ts'
import { judge, type Verdict } from './oracle.ts'
import type { FaultStack } from './stack.ts'

export interface FaultCase {
  /** Row of faults.md. */
  row: number
  name: string
  /** Part of `npm test`. */
  isShort: boolean
  /** Whether requests may fail while the fault lasts; otherwise none may. */
  mayFail: boolean
  /** Requests a second; default 60. */
  rate?: number
  /** How long the pipeline may take to be quiet again, ms. */
  catchUpMs?: number
  load?: Partial<LoadOptions>
  /** Does the fault under load and mends it. @returns what is wrong beyond the ledger; empty when all is well */
  run(stack: FaultStack, context: { short: boolean }): Promise<string[] | void>
}

export interface CaseResult extends Verdict {
  row: number
  name: string
  problems: string[]
}

const leadInMs = 1_000
const leadOutMs = 1_500

/** Runs one fault under load and judges it by the client's ledger. */
export async function runCase(stack: FaultStack, fault: FaultCase, short: boolean): Promise<CaseResult> {
  const name = `row${fault.row}-${fault.name.replaceAll(/\W+/g, '-')}`
  const { id, token } = await stack.newToken(name)
  const load = new Load({ url: stack.proxyUrl, token, rate: fault.rate ?? 60, name, ...fault.load })
  await sleep(leadInMs)
  const told = (await fault.run(stack, { short })) ?? []
  await sleep(leadOutMs)
  const ledger = await load.stop()
  const { wrong, ...verdict } = await judge(stack, id, ledger, fault.catchUpMs ?? 60_000)
  const problems = [...told, ...wrong.map((entry) => `wrong: ${entry}`)]
  if (verdict.lost > 0) problems.push(`${verdict.lost} lost`)
  if (verdict.duplicated > 0) problems.push(`${verdict.duplicated} duplicated`)
  if (verdict.detailsDifference !== 0) problems.push(`details differ by ${verdict.detailsDifference}`)
  if (verdict.rollupDifference !== 0) problems.push(`rollups differ by ${verdict.rollupDifference}`)
  if (verdict.accountDifference !== 0) problems.push(`the accounts differ by ${verdict.accountDifference}`)
  if (!fault.mayFail && verdict.failed > 0) problems.push(`${verdict.failed} requests failed`)
  return { row: fault.row, name: fault.name, ...verdict, problems }
}
