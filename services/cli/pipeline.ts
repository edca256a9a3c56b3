/** `npm run pipeline -- proxies|write-off ID|reconcile DIFFERENCE` */
import { readConfig } from '#core/config.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { createProcessReports } from '#store/redis/process-reports.ts'
import { CommandError } from './command-error.ts'
import { createPipelineCommandLine, createPipelineCommands, type PipelineCommands } from './pipeline-commands.ts'

async function run(command: (commands: PipelineCommands) => Promise<string>): Promise<void> {
  const { shards, disconnect } = await connectQueue(readConfig()).catch((error: Error) => {
    throw new CommandError(error.message, { cause: error })
  })
  try {
    console.log(await command(createPipelineCommands(createProcessReports(shards[0]))))
  } finally {
    disconnect()
  }
}

try {
  await createPipelineCommandLine(run).parseAsync()
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exitCode = 1
}
