import { configWarnings, readConfigOrExit } from '#core/config.ts'
import { runPlainCommand } from './run-command.ts'

const description = 'Check whether the services would start with the variables of this environment.'

await runPlainCommand('npm run check-config', description, async () => {
  const { roles } = readConfigOrExit()
  for (const warning of configWarnings()) console.log(`Warning: ${warning}`)
  console.log(`The configuration is complete: ${roles.join(', ')}.`)
})
