import type { Cluster, Redis as SingleRedis } from 'ioredis'

/** One server or a Redis Cluster, in which all keys of a call need the same hash tag. */
export type Redis = SingleRedis | Cluster
