import { execa } from 'execa'
import { expect, test } from 'vitest'
import { useTestBench } from '../../../services/proxy/test/gateway.fixture.ts'
import { codeExamples, sample } from '../../../web/src/lib/code-examples/code-examples.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
const account = await bench.createTestAccount()

const examples = codeExamples(gateway.baseURL, account.token.secret)
const inJavaScript = examples.filter(({ language }) => language === 'javascript')

test.concurrent.each(inJavaScript.map(({ title, code }) => [title, code] as const))(
  'the example for %s prints what the model says',
  async (_, code) => {
    const response = await account.chat(gateway, {
      model: sample.model,
      messages: [{ role: 'user', content: sample.message }],
      max_tokens: sample.maxTokens,
    })
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    const run = execa(process.execPath, ['--input-type=module', '--eval', code], { cwd: import.meta.dirname })
    expect((await run).stdout).toBe(choices[0]!.message.content)
  },
)

test('there is one for fetch, the openai package, the AI SDK and LangChain', () =>
  expect(inJavaScript.map(({ id }) => id)).toEqual(['javascript', 'node', 'ai-sdk', 'langchain']))
