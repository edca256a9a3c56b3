import { Variables } from '#core/config.ts'

/** Names of all variables that the services read. */
export const serviceVariables: readonly string[] = Object.keys(Variables.shape)

/** Read by the image's start script, Node or the C library; all others belong to the services. */
export const imageVariables: readonly string[] = [
  'SECRETS_DIR',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_ARENA_MAX',
]
