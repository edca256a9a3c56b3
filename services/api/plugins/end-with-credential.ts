import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { CredentialWatch } from '#shared/credential-watch.ts'
import type { IsLive } from '#store/postgres/sign-in/signed-in.ts'
import { requireSignedIn } from './session.ts'

/**
 * Ends a response that may last longer than the session or management key of its request.
 * @returns a function to call once the response has ended
 */
export type EndWithCredential = (request: FastifyRequest, response: ServerResponse) => () => void

export const createEndWithCredential =
  (credentialWatch: CredentialWatch, isLive: IsLive): EndWithCredential =>
  (request, response) => {
    const { user, credential } = requireSignedIn(request)
    return credentialWatch.watch({
      accountId: user.id,
      expiresAt: null,
      isStillValid: () => isLive(user.id, credential),
      end: () => response.destroy(),
    })
  }
