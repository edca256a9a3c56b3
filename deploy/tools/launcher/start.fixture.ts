import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { StackProcess } from '#tools/stack/launched-stack.ts'
import { commandLine } from '#tools/process/process-identity.ts'

const Lock = z.object({ children: z.array(z.object({ name: z.string(), pid: z.number() })) })

/** @returns the pid of the process of that name, from the lock of the data directory */
export async function childPid({ dataDir }: Pick<StackProcess, 'dataDir'>, name: string): Promise<number> {
  const { children } = Lock.parse(JSON.parse(await readFile(join(dataDir, 'lock.json'), 'utf8')))
  return children.find((child) => child.name === name)!.pid
}

/** @returns the processes with the data directory in their arguments, environment or working directory */
export async function livingProcesses(dataDir: string): Promise<string[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const line = await commandLine(pid)
      const traces = [line, await environment(pid), await workingFolder(pid)].join(' ')
      return line && traces.includes(dataDir) ? [`${pid} ${line}`] : []
    }),
  )
  return lines.flat()
}

const environment = (pid: number) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
const workingFolder = (pid: number) => readlink(`/proc/${pid}/cwd`).catch(() => '')
