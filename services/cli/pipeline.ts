/** `npm run pipeline -- proxies|write-off ID|reconcile DIFFERENCE` */
import { readConfigOrExit } from '#core/config.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { createProcessReports } from '#store/redis/process-reports.ts'
import { runCommand } from './run-command.ts'
import { createPipelineCommandLine, type PipelineCommand } from './pipeline-commands.ts'

async function run(command: PipelineCommand): Promise<void> {
  const { shards, disconnect } = await connectQueue(readConfigOrExit())
  try {
    console.log(await command(createProcessReports(shards[0])))
  } finally {
    disconnect()
  }
}

await runCommand(() => createPipelineCommandLine(run).parseAsync())
