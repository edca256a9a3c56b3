import fp from 'fastify-plugin'
import { type IsKnownHost, requireKnownHost } from '#core/http/known-hosts.ts'

/** An error response to another name has the headers for browsers as well. */
export const knownHost = fp<{ isKnownHost: IsKnownHost }>(
  async (app, { isKnownHost }) => requireKnownHost(app, isKnownHost),
  { name: 'known-host', dependencies: ['browser-safety'] },
)
