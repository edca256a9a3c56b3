import { openSession } from '#tools/launcher/http-session.ts'
import { root } from '#tools/root.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { execa } from 'execa'
import type { StackProcess } from './launched-stack.ts'

/** The operator account for the browser tests and the screenshots. */
export const operatorAccount = {
  username: 'operator',
  email: 'operator@example.com',
  password: 'correct horse battery',
}

/** Makes an account an operator. @param env environment of the services */
export async function makeOperator(username: string, env: NodeJS.ProcessEnv): Promise<void> {
  await execa(process.execPath, ['services/cli/accounts.ts', 'operator', username], { cwd: root, env })
}

export const servicesEnvironmentOf = async ({ dataDir }: Pick<StackProcess, 'dataDir'>): Promise<NodeJS.ProcessEnv> =>
  parseEnv(await readFile(join(dataDir, 'services.env'), 'utf8'))

export async function addOperator(stack: Pick<StackProcess, 'url' | 'dataDir'>): Promise<void> {
  await openSession(stack.url)('POST', '/api/register', operatorAccount)
  await makeOperator(operatorAccount.username, await servicesEnvironmentOf(stack))
}
