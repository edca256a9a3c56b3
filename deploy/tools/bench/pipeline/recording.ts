import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { type Row, round, yesOrNo } from '#tools/load/report.ts'
import type { Run } from './run.ts'

/** Runs a recorder in a separate process. @returns its report */
export async function record(
  { context, redisUrl }: Run,
  settings: { rate: number; seconds: number; tags?: number },
): Promise<unknown> {
  const { stdout } = await execa(process.execPath, [join(import.meta.dirname, 'recorder.ts')], {
    env: {
      RATE: String(settings.rate),
      SECONDS: String(settings.seconds),
      TAGS: String(settings.tags ?? 0),
      FOLDER: join(context.workDir, `spool-${settings.rate}`),
      REDIS_QUEUE_URL: redisUrl,
    },
  })
  return JSON.parse(stdout)
}

/** Measures the spool's CPU time per request, without shipping. */
export async function measureRecording(run: Run): Promise<Row[]> {
  const { cpuUs } = z.object({ cpuUs: z.number() }).parse(await record(run, { rate: 0, seconds: 0 }))
  return [['recording a request (begin and end), CPU µs', round(cpuUs, 1), 10, yesOrNo(cpuUs <= 10)]]
}
