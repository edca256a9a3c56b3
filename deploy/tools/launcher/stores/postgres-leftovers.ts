import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine, findProcesses } from '#tools/process/process-identity.ts'
import { stopProcess } from '#tools/process/stop-process.ts'

const limitMs = 10_000

/**
 * Ends the processes of a server that was killed, or that a killed launcher left running. Otherwise Postgres would not
 * start: its pid file may now name another process, and its busy processes keep its shared memory.
 * @param clusterName value of the `cluster_name` setting
 */
export async function clearPostgresLeftovers(postgresDir: string, clusterName: string): Promise<void> {
  const pidFile = join(postgresDir, 'postmaster.pid')
  const server = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  if (!Number.isNaN(server)) await endWhile(server, 'SIGINT', postgresDir)
  const title = `postgres: ${clusterName}: `
  const orphans = await findProcesses(title)
  await Promise.all(orphans.map((pid) => endWhile(pid, 'SIGKILL', title)))
  await rm(pidFile, { force: true })
}

/** Ends the process if its command line contains `text`; otherwise the pid now belongs to another process. */
async function endWhile(pid: number, signal: NodeJS.Signals, text: string): Promise<void> {
  const isOurs = async () => (await commandLine(pid))?.includes(text) ?? false
  if (await isOurs()) await stopProcess(pid, { signal, limitMs, hasExited: async () => !(await isOurs()) })
}
