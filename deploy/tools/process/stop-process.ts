import { within } from './within.ts'

const pollMs = 25

/**
 * Asks a process to stop, and kills its process group after `limitMs`.
 * @param hasExited polled until it returns true
 * @returns false when it had to be killed
 */
export async function stopProcess(
  pid: number,
  {
    signal,
    limitMs,
    hasExited,
  }: { signal: NodeJS.Signals; limitMs: number; hasExited: () => boolean | Promise<boolean> },
): Promise<boolean> {
  if (!(await hasExited())) send(pid, signal)
  const hasStopped = await within(limitMs, hasExited, pollMs)
  if (!hasStopped) killGroup(pid)
  return hasStopped
}

/** Kills a process group. Each child of the supervisor leads one, so this includes its own children. */
export function killGroup(pid: number): void {
  send(-pid, 'SIGKILL')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already gone.
  }
}
