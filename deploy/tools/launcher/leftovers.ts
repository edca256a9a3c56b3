import type { LockedChild } from './lock.ts'
import { processIdentity } from '#tools/process/process-identity.ts'
import { stopProcess } from '#tools/process/stop-process.ts'

const limitMs = 10_000

/** Stops the children of a killed supervisor, unless their pids now belong to other processes. */
export async function stopLeftovers(children: LockedChild[]): Promise<void> {
  await Promise.all(
    children.map(({ pid, identity, stopSignal }) =>
      stopProcess(pid, {
        signal: stopSignal,
        limitMs,
        hasExited: async () => (await processIdentity(pid)) !== identity,
      }),
    ),
  )
}
