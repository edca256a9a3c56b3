import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { stream, type Answer } from '#tools/sample-provider/answer.ts'
import type { Faults } from '#tools/sample-provider/faults.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'

const SpeechRequest = z.looseObject({
  model: z.string(),
  input: z.string().max(4_096),
  voice: z.union([z.string(), z.looseObject({ id: z.string() })]),
  response_format: z.enum(['mp3', 'wav', 'pcm'], 'the sample provider makes mp3, wav and pcm').nullish(),
})

const charsPerSecond = 15
const framesPerChunk = 8

/** A silent frame of MPEG-1 layer III: mono, 44.1 kHz, 128 kbit/s, 417 bytes, 1152 samples. */
const mp3Frame = Buffer.alloc(417)
mp3Frame.set([0xff, 0xfb, 0x90, 0xc4])
const mp3Chunk = Buffer.concat(Array.from({ length: framesPerChunk }, () => mp3Frame))
const mp3ChunkSeconds = (framesPerChunk * 1_152) / 44_100

/** Silence as 16 bit samples, mono, 24 kHz: a fifth of a second. */
const pcmChunk = Buffer.alloc(9_600)
const pcmChunkSeconds = 0.2
const pcmBytesPerSecond = 48_000

const wavHeader = (dataBytes: number): Buffer => {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(pcmBytesPerSecond / 2, 24)
  header.writeUInt32LE(pcmBytesPerSecond, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}

function* repeat(chunk: Buffer, times: number, head?: Buffer): Generator<Buffer> {
  if (head) yield head
  for (let index = 0; index < times; index += 1) yield chunk
}

const answerSpeech = (body: unknown, faults: Faults): Answer => {
  const { model, input, response_format: format } = parseBody(SpeechRequest, body)
  requireModel(model)
  const seconds = input.length / charsPerSecond
  const count = (chunkSeconds: number) => faults.chunks ?? Math.max(1, Math.ceil(seconds / chunkSeconds))
  if (!format || format === 'mp3') return stream(repeat(mp3Chunk, count(mp3ChunkSeconds)), 'audio/mpeg')
  const chunks = count(pcmChunkSeconds)
  if (format === 'pcm') return stream(repeat(pcmChunk, chunks), 'audio/pcm')
  return stream(repeat(pcmChunk, chunks, wavHeader(chunks * pcmChunk.length)), 'audio/wav')
}

export const speechRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/audio/speech', ({ body, faults }) => answerSpeech(body, faults))
}
