import type { Registry } from 'prom-client'
import type { Logger } from '#core/logger.ts'
import type { Lifecycle } from './lifecycle.ts'

/** What all roles of a process share. */
export interface ProcessParts {
  lifecycle: Lifecycle
  logger: Logger
  metrics: Registry
}
