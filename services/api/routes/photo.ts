import { z } from 'zod'
import { User } from '#schemas/account.ts'
import { Problem, requireFound } from '#core/problem.ts'
import { mib } from '#core/units.ts'
import type { PhotoStore } from '#store/postgres/photos.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { toPhoto } from '../photo.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { signedInRoutes } from '../plugins/session.ts'

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp']
const HashParams = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/, 'Unknown picture') })

/** The profile picture, uploaded as a plain body. Source: product.md 2.15. */
export const photoRoutes = signedInRoutes<{ photos: PhotoStore; throttle: Throttle }>(async (app, options) => {
  const { photos, throttle } = options
  app.addContentTypeParser(pictureTypes, { parseAs: 'buffer', bodyLimit: 2 * mib }, (_request, body, done) =>
    done(null, body),
  )

  app.put(
    '/api/user/photo',
    {
      bodyLimit: 2 * mib,
      schema: {
        summary: 'Upload a profile picture',
        description: 'The body is the picture itself: PNG, JPEG or WebP of up to 2 MiB.',
        consumes: pictureTypes,
        response: { 200: User },
      },
    },
    async (request) => {
      if (!Buffer.isBuffer(request.body)) {
        throw new Problem('unsupported-media-type', { detail: `Send the picture as ${pictureTypes.join(', ')}.` })
      }
      await throttle.count('photo', request.user.id)
      const { image, hash } = await toPhoto(request.body)
      return photos.save(request.user.id, hash, image, `/api/user/photo/${hash}`, auditSourceOf(request))
    },
  )

  app.delete(
    '/api/user/photo',
    { schema: { summary: 'Remove the profile picture', response: { 200: User } } },
    (request) => photos.remove(request.user.id, auditSourceOf(request)),
  )

  app.get(
    '/api/user/photo/:hash',
    {
      schema: {
        summary: 'Get the profile picture',
        params: HashParams,
        produces: ['image/webp'],
        response: { 200: z.any() },
      },
    },
    async ({ user, params }, reply) => {
      const image = requireFound(await photos.get(user.id, params.hash))
      return reply.type('image/webp').header('x-content-type-options', 'nosniff').send(image)
    },
  )
})
