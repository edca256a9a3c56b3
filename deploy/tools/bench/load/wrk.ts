import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findCommand } from '#tools/process/find-command.ts'
import { findOrInstall } from '#tools/process/system-package.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import type { LoadRequest } from './job.ts'
import { z } from 'zod'

/** Completed and failed requests of one full-load run. */
const FullLoad = z.object({ completed: z.number(), failed: z.number(), seconds: z.number() })
export type FullLoad = z.infer<typeof FullLoad>

/** Installs `wrk` if it is missing. @throws StartFailure when it can't be installed */
export const findWrk = ({ supervisor }: BenchContext): Promise<string> =>
  findOrInstall('wrk', () => findCommand(['wrk']), { apt: 'wrk', dnf: 'wrk', apk: 'wrk', brew: 'wrk' }, supervisor.run)

/** Sends as many requests as the connections can carry, with `wrk`, which uses less CPU than any generator in Node. */
export async function runWrk(
  { supervisor, workDir }: BenchContext,
  program: string,
  request: LoadRequest,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<FullLoad> {
  const script = join(workDir, 'load.lua')
  await writeFile(script, luaFor(request))
  const lines: string[] = []
  await supervisor.run({
    name: 'wrk',
    command: program,
    args: ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, request.url],
    onLine: (line) => lines.push(line),
  })
  const result = lines.find((line) => line.startsWith('{'))
  return FullLoad.parse(JSON.parse(result ?? '{}'))
}

const luaFor = ({ headers, body }: LoadRequest) => `
wrk.method = "POST"
wrk.body = [==[${body}]==]
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  .join('\n')}
done = function(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  local line = '{"completed": %d, "failed": %d, "seconds": %f}\\n'
  io.write(string.format(line, summary.requests - e.status, failed, summary.duration / 1000000))
end
`
