import { describe, expect, it, test } from 'vitest'
import { codeExamples } from './code-examples.ts'

const baseUrl = 'https://gateway.example.com/api/proxy/v1'
const examples = codeExamples(baseUrl, 'st_secret')

it('the four specified examples come first', () =>
  expect(examples.slice(0, 4).map(({ title }) => title)).toEqual(['cURL', 'JavaScript', 'Python', 'Node.js']))

test.each(examples.map((example) => [example.title, example] as const))(
  '%s has the token and the base URL',
  (_, { code }) => {
    expect(code).toContain('st_secret')
    expect(code).toContain('https://gateway.example.com/api/proxy')
  },
)

describe('examples that no test can run use options as the SDK documents them', () => {
  test.each([
    // https://github.com/openai/openai-python#usage
    ['python', /^ {4}(\w+)=/gm, ['base_url', 'api_key', 'model', 'messages', 'max_tokens']],
    // https://github.com/openai/openai-go#usage, option/requestoption.go
    ['go', /option\.(\w+)\(/g, ['WithBaseURL', 'WithAPIKey']],
    // https://github.com/openai/openai-go/blob/main/chatcompletion.go, ChatCompletionNewParams
    ['go', /^\t\t(\w+): /gm, ['Model', 'Messages', 'MaxCompletionTokens']],
    // https://github.com/openai/openai-java#client-configuration, ChatCompletionCreateParams.Builder
    [
      'java',
      /^ {4}\.(\w+)\(/gm,
      ['baseUrl', 'apiKey', 'build', 'model', 'addUserMessage', 'maxCompletionTokens', 'build'],
    ],
    // https://github.com/openai/openai-dotnet#using-a-custom-base-url-and-api-key, ChatCompletionOptions
    ['dotnet', /(\w+)(?:: | = )(?:new |"|\d)/g, ['model', 'credential', 'options', 'Endpoint', 'MaxOutputTokenCount']],
    // https://developers.openai.com/codex/config-reference, ModelProviderInfo of github.com/openai/codex
    ['codex', /^(\w+) = /gm, ['model_provider', 'name', 'base_url', 'env_key', 'wire_api', 'supports_websockets']],
    // https://code.claude.com/docs/en/env-vars
    ['claude-code', /^export (\w+)=/gm, ['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN']],
    // https://geminicli.com/docs/reference/configuration#environment-variables
    ['gemini-cli', /^export (\w+)=/gm, ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY']],
  ])('%s: %s', (id, option, documented) => {
    const { code } = examples.find((example) => example.id === id)!
    expect([...code.matchAll(option)].map(([, name]) => name)).toEqual(documented)
  })
})

test('Claude Code appends the version to the base URL itself', () =>
  expect(examples.find(({ id }) => id === 'claude-code')!.code).toContain(
    'ANTHROPIC_BASE_URL=https://gateway.example.com/api/proxy\n',
  ))
