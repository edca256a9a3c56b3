import { readdir, readFile } from 'node:fs/promises'

/** @returns the process ids of the group with this DATA_DIR, without the primary */
export async function pidsOfMembers(dataDir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')))
  // Node sets NODE_UNIQUE_ID for the processes that it forks.
  return pids.filter(
    (_, at) => environments[at]!.includes(`DATA_DIR=${dataDir}\0`) && environments[at]!.includes('NODE_UNIQUE_ID='),
  )
}
