import type { Cluster, Redis as SingleRedis } from 'ioredis'

/** One server, or a Redis Cluster, where the keys of one call have the same hash tag. */
export type Redis = SingleRedis | Cluster
