import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 25

/**
 * Asks a process to stop; ends its whole group with SIGKILL, which a frozen one can't ignore, after `limitMs`.
 * @param hasExited asked until it says yes
 * @returns whether it stopped by itself
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
  const deadline = performance.now() + limitMs
  while (!(await hasExited())) {
    if (performance.now() > deadline) {
      killGroup(pid)
      return false
    }
    await sleep(pollMs)
  }
  return true
}

/** A child of ours leads a process group of its own, so its own children go with it. */
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
