import type { Progress } from '#tools/process/progress.js'
import { startPostgres } from './postgres.ts'
import { findRedisServer, startRedis } from './redis.ts'
import type { Secrets } from '#tools/launcher/secrets.ts'
import type { Settings, StoreUrls } from '#tools/launcher/settings.ts'
import type { Supervisor } from '#tools/process/supervisor.ts'

/** Starts the stores without a URL. ClickHouse needs no process: without a URL, the services open chDB. */
export async function startStores(
  supervisor: Supervisor,
  progress: Progress,
  { dataDir, given }: Pick<Settings, 'dataDir' | 'given'>,
  secrets: Pick<Secrets, 'postgresPassword' | 'redisPassword'>,
): Promise<StoreUrls> {
  const needsRedis = !given.redisStateUrl || !given.redisQueueUrl
  const program = needsRedis ? await progress.step('Redis server', () => findRedisServer(supervisor.run)) : ''
  const redis = (instance: 'state' | 'queue') =>
    progress.step(`Redis (${instance})`, () =>
      startRedis(supervisor, { program, dataDir, instance, password: secrets.redisPassword }),
    )
  const postgres = () =>
    progress.step('Postgres', async () => {
      const { url } = await startPostgres(supervisor, { dataDir, password: secrets.postgresPassword })
      return url
    })
  const [postgresUrl, redisStateUrl, redisQueueUrl] = await Promise.all([
    given.postgresUrl ?? postgres(),
    given.redisStateUrl ?? redis('state'),
    given.redisQueueUrl ?? redis('queue'),
  ])
  return { postgresUrl, redisStateUrl, redisQueueUrl, clickhouseUrl: given.clickhouseUrl }
}
