import { plain, stream, type ProviderCase } from './provider-response.fixture.ts'

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

export const mediaCases: readonly ProviderCase[] = [
  plain('an image', imagesPath, draw('gpt-image-1'), image(imageUsage), gptImage1, { tokens: [100, 1_000, 0] }),
  plain('a large image', imagesPath, draw('gpt-image-1'), image(imageUsage, 500_000), gptImage1),
  stream('an image', imagesPath, draw('gpt-image-1'), imageEvents(imageUsage), gptImage1),
  plain(
    'an image of a small model',
    imagesPath,
    draw('gpt-image-1-mini'),
    image(imageUsage),
    40 * 2_000 + 60 * 2_500 + 1_000 * 8_000,
  ),
  plain(
    'an image with details of its output',
    imagesPath,
    draw('gpt-image-1.5'),
    image({ ...imageUsage, output_tokens_details: { text_tokens: 100, image_tokens: 900 } }),
    40 * 5_000 + 60 * 8_000 + 100 * 10_000 + 900 * 32_000,
  ),
  plain(
    'an image without details of its output',
    imagesPath,
    draw('gpt-image-1.5'),
    image(imageUsage),
    40 * 5_000 + 60 * 8_000 + 1_000 * 32_000,
  ),
  plain('an edited image', '/v1/images/edits', draw('gpt-image-1'), image(imageUsage), gptImage1),
  plain('an image without usage', imagesPath, draw('dall-e-3'), image(undefined), null),
  plain('an image that is paid by request', imagesPath, draw('flux-schnell'), image(undefined), 3_000_000),
  plain(
    'a transcription by the minute',
    audioPath,
    { model: 'whisper-1' },
    { text: 'Hi', usage: { type: 'duration', seconds: 9 } },
    900_000,
  ),
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
  plain(
    'a translation',
    '/v1/audio/translations',
    { model: 'whisper-1' },
    { text: 'Hi', usage: { type: 'duration', seconds: 61 } },
    6_100_000,
  ),
  { ...plain('a transcription as text', audioPath, { model: 'whisper-1' }, 'Hi', null), contentType: 'text/plain' },
  {
    ...plain(
      'speech by characters',
      '/v1/audio/speech',
      { model: 'tts-1', input: 'Grüße 🚪', voice: 'alloy' },
      'ID3',
      7 * 15_000,
    ),
    contentType: 'audio/mpeg',
  },
  {
    ...plain(
      'speech by tokens',
      '/v1/audio/speech',
      { model: 'gpt-4o-mini-tts', input: 'This sentence takes three seconds to be spoken.' },
      'ID3',
      12 * 600 + 63 * 12_000,
    ),
    contentType: 'audio/mpeg',
    isEstimated: true,
  },
  {
    ...plain('speech without a price', '/v1/audio/speech', { model: 'our-voice', input: 'Hi' }, 'ID3', null),
    contentType: 'audio/mpeg',
  },
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
