import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'

/** Index of a case, and how often to run it. */
export interface TimingJob {
  at: number
  runs: number
}

/** Duration of each call, and CPU time of all of them, ms. */
const Timed = z.object({ times: z.array(z.number()), cpuMs: z.number() })
export type Timed = z.infer<typeof Timed>

const Filled = z.object({
  tables: z.array(
    z.object({ name: z.string(), rows: z.coerce.number(), bytes: z.coerce.number(), parts: z.coerce.number() }),
  ),
  cases: z.array(z.object({ name: z.string(), goals: z.tuple([z.number(), z.number()]) })),
})
export type Filled = z.infer<typeof Filled>

export interface Store extends Filled {
  rows: number
  time(job: TimingJob): Promise<Timed>
  close(): Promise<void>
}

/** Opens a store in a separate process. Resolves once it has been filled up to `rows` rows and merged. */
export async function openStore(rows: number, dataDir: string): Promise<Store> {
  // Drops this process's flags, which would make the child exit as soon as it is idle.
  const child = fork(join(import.meta.dirname, 'store-process.ts'), [String(rows), dataDir], { execArgv: [] })
  const reply = async () => (await Promise.race([once(child, 'message'), failure]))[0]
  const failure = once(child, 'exit').then(([code]) => {
    throw new Error(`The store with ${rows} rows ended with ${code}.`)
  })
  failure.catch(() => undefined)
  return {
    rows,
    ...Filled.parse(await reply()),
    async time(job) {
      child.send(job)
      return Timed.parse(await reply())
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
