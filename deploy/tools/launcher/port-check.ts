import { once } from 'node:events'
import { createServer } from 'node:net'
import { codeOf } from '#core/errors.ts'
import type { Settings } from './settings.ts'
import { StartFailure } from '#tools/process/start-failure.ts'

type Address = Pick<Settings, 'host' | 'port'>

/** @throws StartFailure when it can't listen on the port */
export async function checkPort({ host, port }: Address, explain = explainGateway): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening')
  } catch (error) {
    throw new StartFailure(explain(codeOf(error), { host, port }), { cause: error })
  }
  await new Promise((resolve) => server.close(resolve))
}

function explainGateway(code: string | undefined, { host, port }: Address): string {
  const another = `PORT=${port < 1024 ? 3000 : port + 1} npm start`
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Stop what uses it or choose another: ${another}`
  if (code === 'EACCES') return `This user may not listen on port ${port}. Choose another: ${another}`
  return `Can't listen on ${host}:${port} (${code}). Choose another address: HOST=127.0.0.1 npm start`
}
