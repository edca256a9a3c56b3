import { join } from 'node:path'
import { findFreePort } from '#tools/process/free-port.ts'
import { stage } from '#tools/process/supervisor.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { required } from '#tools/process/required.ts'
import type { TargetName } from './target.ts'

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

/** @returns flags of Node for a process that writes `<target>.cpuprofile`, see `profile-on-signal.ts` */
export const profileFlags = ({ profileFolder }: Pick<BenchContext, 'profileFolder'>, target: TargetName): string[] =>
  profileFolder === undefined
    ? []
    : [`--import=${profiler}?file=${encodeURIComponent(join(profileFolder, `${target}.cpuprofile`))}`]

const profiler = new URL('../profile/profile-on-signal.ts', import.meta.url)

export const saysReady = (output: readonly string[]): boolean => output.includes('ready')

/** Whether a server responds at a URL, with any status. */
export const responds = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  )

/** Starts the provider. @returns its URL */
export async function startUpstream(context: BenchContext): Promise<string> {
  const port = await findFreePort()
  await startDaemon(context, {
    name: 'provider',
    isMeasured: false,
    command: process.execPath,
    args: [join(import.meta.dirname, '../upstream.ts')],
    env: { PORT: String(port) },
    ready: saysReady,
  })
  return `http://127.0.0.1:${port}`
}
