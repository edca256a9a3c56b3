import { hash } from 'node:crypto'
import pLimit from 'p-limit'
import { Problem } from '#core/problem.ts'

const maxPixels = 50_000_000
const sizePixels = 256

/** Loaded with the first picture, because it takes 20 MB of memory. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // libvips detects formats by content, so all other decoders, such as SVG and PDF, are disabled.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
  return sharp
}

/** Decoding may need a few hundred megabytes, so pictures are processed one at a time. */
const limit = pLimit(1)

/**
 * Crops a picture to a square WebP without metadata.
 * @returns `hash`: SHA-256, hexadecimal
 * @throws Problem `invalid-request` if it is not a PNG, JPEG or WebP, or has too many pixels
 */
export const toPhoto = (picture: Buffer): Promise<{ image: Buffer; hash: string }> =>
  limit(async () => {
    const sharp = await loadSharp()
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
