import { readConfigOrExit } from '#core/config.ts'
import { createCommandLine } from './command-line.ts'
import { runAccountCommand } from './run-account-command.ts'
import { runCommand } from './run-command.ts'

const program = createCommandLine(async (command) => console.log(await runAccountCommand(readConfigOrExit(), command)))
await runCommand(() => program.parseAsync())
