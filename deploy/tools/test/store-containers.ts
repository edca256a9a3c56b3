import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers'

const password = 'test'

/** @returns whether Docker, Podman or a similar engine runs on this machine */
export async function hasContainerEngine(): Promise<boolean> {
  try {
    await getContainerRuntimeClient()
    return true
  } catch {
    return false
  }
}

/** Starts the three production servers, each in a container. One Redis is enough for the state and the queue. */
export async function startStoreContainers() {
  const started = await Promise.allSettled([
    new GenericContainer('postgres:18-alpine')
      .withEnvironment({ POSTGRES_USER: 'sallyport', POSTGRES_PASSWORD: password, POSTGRES_DB: 'sallyport' })
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
      .start(),
    new GenericContainer('valkey/valkey:8-alpine')
      .withCommand([
        'valkey-server',
        '--appendonly',
        'yes',
        '--appendfsync',
        'always',
        '--maxmemory-policy',
        'noeviction',
      ])
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start(),
    new GenericContainer('clickhouse/clickhouse-server:26.3-alpine')
      .withEnvironment({ CLICKHOUSE_USER: 'sallyport', CLICKHOUSE_PASSWORD: password })
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp('/ping', 8123).forStatusCode(200))
      .start(),
  ])
  const [postgres, redis, clickhouse] = started.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
  const stop = async () => void (await Promise.all([postgres, redis, clickhouse].map((each) => each?.stop())))
  if (!postgres || !redis || !clickhouse) {
    await stop()
    throw started.find((result) => result.status === 'rejected')?.reason
  }
  const redisUrl = `redis://${at(redis, 6379)}`
  return {
    stop,
    urls: {
      postgresUrl: `postgres://sallyport:${password}@${at(postgres, 5432)}/sallyport`,
      redisStateUrl: redisUrl,
      redisQueueUrl: redisUrl,
      clickhouseUrl: `http://sallyport:${password}@${at(clickhouse, 8123)}`,
    },
  }
}

const at = (container: StartedTestContainer, port: number) => `${container.getHost()}:${container.getMappedPort(port)}`
