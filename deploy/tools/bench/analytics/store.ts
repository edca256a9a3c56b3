import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Case } from './cases.ts'

/** Which case, and how often. */
export interface TimingJob {
  at: number
  runs: number
}

/** How long each call took, and the processor time of all of them, ms. */
export interface Timed {
  times: number[]
  cpuMs: number
}

export interface Filled {
  tables: { name: string; rows: number; bytes: number; parts: number }[]
  cases: Pick<Case, 'name' | 'goals'>[]
}

export interface Store extends Filled {
  rows: number
  time(job: TimingJob): Promise<Timed>
  close(): Promise<void>
}

/** Opens a store in a process of its own. @returns once it holds so many rows and is at rest */
export async function openStore(rows: number, dataDir: string): Promise<Store> {
  // Without this process's own flags, which would let it end as soon as it is idle.
  const child = fork(join(import.meta.dirname, 'store-process.ts'), [String(rows), dataDir], { execArgv: [] })
  const answer = async () => (await Promise.race([once(child, 'message'), failure]))[0]
  const failure = once(child, 'exit').then(([code]) => {
    throw new Error(`The store with ${rows} rows ended with ${code}.`)
  })
  failure.catch(() => undefined)
  return {
    rows,
    ...((await answer()) as Filled),
    async time(job) {
      child.send(job)
      return (await answer()) as Timed
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
