import { hash } from 'node:crypto'
import pLimit from 'p-limit'
import sharp from 'sharp'
import { Problem } from '#core/problem.ts'

const maxPixels = 50_000_000
const sizePixels = 256

// Only the three formats that we take can be read at all: no SVG, no PDF, whatever the bytes pretend to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

/** One picture at a time: decoding may take a few hundred megabytes. */
const limit = pLimit(1)

export interface Photo {
  image: Buffer
  /** SHA-256, hexadecimal. */
  hash: string
}

/**
 * A square WebP of the middle of a picture, without anything else that the file carried.
 * @throws Problem `invalid-request` when it is not a PNG, JPEG or WebP, or has too many pixels
 */
export const toPhoto = (picture: Buffer): Promise<Photo> =>
  limit(async () => {
    try {
      const image = await sharp(picture, { limitInputPixels: maxPixels, failOn: 'error' })
        .timeout({ seconds: 10 })
        .autoOrient()
        .resize(sizePixels, sizePixels, { fit: 'cover' })
        .webp()
        .toBuffer()
      return { image, hash: hash('sha256', image) }
    } catch (error) {
      const message = 'The picture must be a PNG, JPEG or WebP of at most 50 megapixels'
      throw new Problem('invalid-request', { detail: message, errors: [{ field: 'photo', message }], cause: error })
    }
  })
