/** `npm run check-config`: checks whether the services would start with the variables of this environment. */
import { configWarnings, readConfigOrExit } from '#core/config.ts'

const { roles } = readConfigOrExit()
for (const warning of configWarnings()) console.log(`Warning: ${warning}`)
console.log(`The configuration is complete: ${roles.join(', ')}.`)
