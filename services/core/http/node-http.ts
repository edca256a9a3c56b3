/** An import of `node:http` reads all that it exports, and thereby loads Node's own fetch: 50 ms of CPU at each start. */
export const { createServer, get, STATUS_CODES } = process.getBuiltinModule('node:http')
