import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testApi, type TestUser } from '../test/api.fixture.ts'

const api = await testApi()

const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff', width = 400, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer()
const put = (user: TestUser, body: Buffer, type = 'image/png') =>
  user.call('PUT', '/api/user/photo', body, { 'content-type': type })

test.each(['png', 'jpeg', 'webp'] as const)('a %s becomes a square WebP of its owner', async (format) => {
  const [ann, bob] = [await api.register(), await api.register()]
  const response = await put(ann, await picture(format), `image/${format}`)
  const { profileImageUrl } = response.json()
  expect(profileImageUrl).toMatch(/^\/api\/user\/photo\/[0-9a-f]{64}$/)
  const served = await ann.call('GET', profileImageUrl)
  expect(served.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' })
  expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
  expect((await bob.call('GET', profileImageUrl)).statusCode).toBe(404)
  expect((await api.user().call('GET', profileImageUrl)).statusCode).toBe(401)

  expect((await ann.call('DELETE', '/api/user/photo')).json().profileImageUrl).toBeNull()
  expect((await ann.call('GET', profileImageUrl)).statusCode).toBe(404)
})

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')
/** A PNG that claims to be this large, without the pixels. */
const bomb = async () => {
  const png = Buffer.from(await picture('png', 1, 1))
  png.writeUInt32BE(30_000, 16)
  png.writeUInt32BE(30_000, 20)
  png.writeUInt32BE(Number(BigInt.asUintN(32, BigInt((await import('node:zlib')).crc32(png.subarray(12, 29))))), 29)
  return png
}

test.each([
  ['an SVG', () => svg],
  ['an SVG behind the first bytes of a PNG', () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), svg])],
  ['a GIF', () => picture('gif')],
  ['a TIFF', () => picture('tiff')],
  ['a picture of 30,000 x 30,000', bomb],
  ['half a JPEG', async () => (await picture('jpeg', 2_000, 2_000)).subarray(0, 1_500)],
  ['nothing', () => Buffer.alloc(1)],
])('%s is rejected', async (_what, make) => {
  const ann = await api.register()
  const rejected = await put(ann, await make())
  expect(rejected.json()).toMatchObject({ status: 400, errors: [{ field: 'photo' }] })
  expect((await ann.call('GET', '/api/user')).json().profileImageUrl).toBeNull()
})

test('everything but the pixels of a file is removed', async () => {
  const ann = await api.register()
  const script = '<script>alert(1)</script>'
  const polyglot = Buffer.concat([await picture('png'), Buffer.from(script)])
  const withExif = await sharp(await picture('jpeg'))
    .withExif({ IFD0: { Copyright: script } })
    .jpeg()
    .toBuffer()
  for (const [body, type] of [
    [polyglot, 'image/png'],
    [withExif, 'image/jpeg'],
  ] as const) {
    const { profileImageUrl } = (await put(ann, body, type)).json()
    expect((await ann.call('GET', profileImageUrl)).rawPayload.includes('script')).toBe(false)
  }
})

test('rejects a file that is too large, and a body of another type', async () => {
  const ann = await api.register()
  expect((await put(ann, Buffer.alloc(2 * 1_048_576 + 1))).json()).toMatchObject({
    status: 413,
    code: 'body-too-large',
  })
  expect((await put(ann, svg, 'image/svg+xml')).statusCode).toBe(415)
  expect((await put(ann, Buffer.from('{}'), 'application/json')).statusCode).toBe(415)
  expect((await ann.call('PUT', '/api/user/photo')).statusCode).toBe(415)
})
