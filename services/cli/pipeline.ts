/** `npm run pipeline -- proxies|write-off ID|reconcile DIFFERENCE` */
import { readConfigOrExit } from '#core/config.ts'
import { messageOf } from '#core/errors.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { createProcessReports } from '#store/redis/process-reports.ts'
import { CommandError, runCommandLine } from './command-error.ts'
import { createPipelineCommandLine, type PipelineCommand } from './pipeline-commands.ts'

async function run(command: PipelineCommand): Promise<void> {
  const { shards, disconnect } = await connectQueue(readConfigOrExit()).catch((error: unknown) => {
    throw new CommandError(messageOf(error), { cause: error })
  })
  try {
    console.log(await command(createProcessReports(shards[0])))
  } finally {
    disconnect()
  }
}

await runCommandLine(createPipelineCommandLine(run))
