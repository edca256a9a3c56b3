import { type CaseOptions, plain, type ProviderCase, stream } from './provider-response.fixture.ts'

const imagesPath = '/v1/images/generations'
const imageUsage = {
  total_tokens: 1_100,
  input_tokens: 100,
  output_tokens: 1_000,
  input_tokens_details: { text_tokens: 40, image_tokens: 60 },
}
const draw = (model: string) => ({ model, prompt: 'A gate' })
const image = (usage: object | undefined, length = 20) => ({
  created: 1,
  data: [{ b64_json: 'A'.repeat(length) }],
  usage,
})
const imageEvents = (usage: object) => [
  { type: 'image_generation.partial_image', b64_json: 'AAAA' },
  { type: 'image_generation.completed', b64_json: 'A'.repeat(30_000), usage },
]
const gptImage1 = 40 * 5_000 + 60 * 10_000 + 1_000 * 40_000
const audioPath = '/v1/audio/transcriptions'
const tokensOfAudio = {
  type: 'tokens',
  input_tokens: 14,
  input_token_details: { text_tokens: 4, audio_tokens: 10 },
  output_tokens: 45,
  total_tokens: 59,
}

const imageCase = (name: string, model: string, body: object, cost: number | null, more: CaseOptions = {}) =>
  plain(name, imagesPath, draw(model), body, cost, more)
const transcription = (name: string, model: string, usage: object, cost: number, path = audioPath) =>
  plain(name, path, { model }, { text: 'Hi', usage }, cost)
/** A response that is no JSON. */
const speech = (name: string, request: object, cost: number | null, more: CaseOptions = {}) =>
  plain(name, '/v1/audio/speech', request, 'ID3', cost, { contentType: 'audio/mpeg', ...more })

export const mediaCases: readonly ProviderCase[] = [
  imageCase('an image', 'gpt-image-1', image(imageUsage), gptImage1, { tokens: [100, 1_000, 0] }),
  imageCase('a large image', 'gpt-image-1', image(imageUsage, 500_000), gptImage1),
  stream('an image', imagesPath, draw('gpt-image-1'), imageEvents(imageUsage), gptImage1),
  imageCase(
    'an image of a small model',
    'gpt-image-1-mini',
    image(imageUsage),
    40 * 2_000 + 60 * 2_500 + 1_000 * 8_000,
  ),
  imageCase(
    'an image with details of its output',
    'gpt-image-1.5',
    image({ ...imageUsage, output_tokens_details: { text_tokens: 100, image_tokens: 900 } }),
    40 * 5_000 + 60 * 8_000 + 100 * 10_000 + 900 * 32_000,
  ),
  imageCase(
    'an image without details of its output',
    'gpt-image-1.5',
    image(imageUsage),
    40 * 5_000 + 60 * 8_000 + 1_000 * 32_000,
  ),
  plain('an edited image', '/v1/images/edits', draw('gpt-image-1'), image(imageUsage), gptImage1),
  imageCase('an image without usage', 'dall-e-3', image(undefined), null),
  imageCase('an image that is paid by request', 'flux-schnell', image(undefined), 3_000_000),
  transcription('a transcription by the minute', 'whisper-1', { type: 'duration', seconds: 9 }, 900_000),
  plain(
    'a transcription by tokens',
    audioPath,
    { model: 'gpt-4o-transcribe' },
    { text: 'Hi', usage: tokensOfAudio },
    14 * 2_500 + 45 * 10_000,
    { tokens: [14, 45, 0] },
  ),
  stream(
    'a transcription',
    audioPath,
    { model: 'gpt-4o-mini-transcribe' },
    [
      { type: 'transcript.text.delta', delta: 'Hi' },
      { type: 'transcript.text.done', text: 'Hi', usage: tokensOfAudio },
    ],
    14 * 1_250 + 45 * 5_000,
  ),
  transcription('a translation', 'whisper-1', { type: 'duration', seconds: 61 }, 6_100_000, '/v1/audio/translations'),
  plain('a transcription as text', audioPath, { model: 'whisper-1' }, 'Hi', null, { contentType: 'text/plain' }),
  speech('speech by characters', { model: 'tts-1', input: 'Grüße 🚪', voice: 'alloy' }, 7 * 15_000),
  speech(
    'speech by tokens',
    { model: 'gpt-4o-mini-tts', input: 'This sentence takes three seconds to be spoken.' },
    12 * 600 + 63 * 12_000,
    { isEstimated: true },
  ),
  speech('speech without a price', { model: 'our-voice', input: 'Hi' }, null),
  stream(
    'speech',
    '/v1/audio/speech',
    { model: 'gpt-4o-mini-tts', input: 'Hi' },
    [
      { type: 'speech.audio.delta', audio: 'AAAA' },
      { type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } },
    ],
    14 * 600 + 101 * 12_000,
  ),
]
