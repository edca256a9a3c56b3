/** `gen_ai.provider.name` by the host's domain. Source: OpenTelemetry's semantic conventions for generative AI. */
const providers: readonly (readonly [domain: string, name: string])[] = [
  ['openai.com', 'openai'],
  ['openai.azure.com', 'azure.ai.openai'],
  ['services.ai.azure.com', 'azure.ai.inference'],
  ['anthropic.com', 'anthropic'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
  ['amazonaws.com', 'aws.bedrock'],
  ['cohere.com', 'cohere'],
  ['cohere.ai', 'cohere'],
  ['deepseek.com', 'deepseek'],
  ['groq.com', 'groq'],
  ['mistral.ai', 'mistral_ai'],
  ['perplexity.ai', 'perplexity'],
  ['x.ai', 'x_ai'],
]

/** The provider of a host. Unknown ones speak the API of `openai`, which the conventions then prescribe as the name. */
export const providerNameOf = (host: string): string =>
  providers.find(([domain]) => host === domain || host.endsWith(`.${domain}`))?.[1] ?? 'openai'
