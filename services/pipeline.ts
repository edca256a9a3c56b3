/** `npm run pipeline -- proxies|write-off ID` */
import { createProcessReports } from '#store/process-reports.ts'
import { CommandError } from './operator/command-error.ts'
import {
  createPipelineCommandLine,
  createPipelineCommands,
  type PipelineCommands,
} from './operator/pipeline-commands.ts'
import { connectQueue } from './operator/queue-connection.ts'

async function run(command: (commands: PipelineCommands) => Promise<string>): Promise<void> {
  const redis = await connectQueue()
  try {
    console.log(await command(createPipelineCommands(createProcessReports(redis))))
  } finally {
    redis.disconnect()
  }
}

try {
  await createPipelineCommandLine(run).parseAsync()
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exitCode = 1
}
