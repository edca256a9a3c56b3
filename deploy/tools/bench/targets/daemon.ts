import { stage } from '#tools/process/supervisor.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { required } from '#tools/process/required.ts'

interface ProcessOptions {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  /** False for the provider, which stays off the measured processes' core. */
  isMeasured?: boolean
  cwd?: string
  ready: (output: readonly string[]) => boolean | Promise<boolean>
}

/** Starts a process that runs until the end of the benchmark. @returns its process id */
export async function startDaemon(
  { supervisor, pidOf, pin }: Pick<BenchContext, 'supervisor' | 'pidOf' | 'pin'>,
  { env = {}, isMeasured = true, ...options }: ProcessOptions,
): Promise<number> {
  await supervisor.start(
    {
      ...(isMeasured && pin ? pin(options) : options),
      env: { ...process.env, ...env },
      readyWithinMs: 60_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: 5_000,
    },
    stage.services,
  )
  return required(pidOf(options.name), options.name)
}

/** `BENCH_NODE_OPTIONS="--cpu-prof …"` profiles only the bare proxy and this checkout's. */
export const nodeOptions = () => process.env['BENCH_NODE_OPTIONS']?.split(' ').filter(Boolean) ?? []

export const saysReady = (output: readonly string[]): boolean => output.includes('ready')

/** Whether a server responds at a URL, with any status. */
export const responds = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  )
