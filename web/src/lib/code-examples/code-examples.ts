import { product } from '#schemas/product.ts'

/** Shown until a token is chosen. */
export const tokenPlaceholder = 'st_your_token'

/** Source: product.md 10.7. */
export const sample = { model: 'gpt-3.5-turbo', message: 'Hello, how are you?', maxTokens: 150 }

/** The gateway's names in an agent's settings. */
const agentNames = { provider: product.name.toLowerCase(), tokenVariable: `${product.name.toUpperCase()}_TOKEN` }

type Language = 'bash' | 'csharp' | 'go' | 'java' | 'javascript' | 'python' | 'toml'
type CodeExample = { id: string; title: string; language: Language; code: string }

export const curlExample = (baseUrl: string, token: string) => `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${sample.model}",
    "messages": [{"role": "user", "content": "${sample.message}"}],
    "max_tokens": ${sample.maxTokens}
  }'`

/**
 * The same request from every client of product.md 10.7, and settings for agents that send their own requests.
 * @param baseUrl the value for an SDK's `baseURL`
 */
export const codeExamples = (baseUrl: string, token: string): readonly CodeExample[] => [
  {
    id: 'curl',
    title: 'cURL',
    language: 'bash',
    code: curlExample(baseUrl, token),
  },
  {
    id: 'javascript',
    title: 'JavaScript',
    language: 'javascript',
    code: `const response = await fetch('${baseUrl}/chat/completions', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${token}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    model: '${sample.model}',
    messages: [{ role: 'user', content: '${sample.message}' }],
    max_tokens: ${sample.maxTokens},
  }),
})

const completion = await response.json()
console.log(completion.choices[0].message.content)`,
  },
  {
    id: 'python',
    title: 'Python',
    language: 'python',
    code: `from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}",
    api_key="${token}",
)

completion = client.chat.completions.create(
    model="${sample.model}",
    messages=[{"role": "user", "content": "${sample.message}"}],
    max_tokens=${sample.maxTokens},
)

print(completion.choices[0].message.content)`,
  },
  {
    id: 'node',
    title: 'Node.js',
    language: 'javascript',
    code: `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${baseUrl}',
  apiKey: '${token}',
})

const completion = await client.chat.completions.create({
  model: '${sample.model}',
  messages: [{ role: 'user', content: '${sample.message}' }],
  max_tokens: ${sample.maxTokens},
})

console.log(completion.choices[0].message.content)`,
  },
  {
    id: 'go',
    title: 'Go',
    language: 'go',
    code: `package main

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func main() {
	client := openai.NewClient(
		option.WithBaseURL("${baseUrl}"),
		option.WithAPIKey("${token}"),
	)
	completion, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model:               "${sample.model}",
		Messages:            []openai.ChatCompletionMessageParamUnion{openai.UserMessage("${sample.message}")},
		MaxCompletionTokens: openai.Int(${sample.maxTokens}),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(completion.Choices[0].Message.Content)
}`,
  },
  {
    id: 'java',
    title: 'Java',
    language: 'java',
    code: `import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;

OpenAIClient client = OpenAIOkHttpClient.builder()
    .baseUrl("${baseUrl}")
    .apiKey("${token}")
    .build();

ChatCompletionCreateParams params = ChatCompletionCreateParams.builder()
    .model("${sample.model}")
    .addUserMessage("${sample.message}")
    .maxCompletionTokens(${sample.maxTokens})
    .build();

ChatCompletion completion = client.chat().completions().create(params);
completion.choices().get(0).message().content().ifPresent(System.out::println);`,
  },
  {
    id: 'dotnet',
    title: '.NET',
    language: 'csharp',
    code: `using System.ClientModel;
using OpenAI;
using OpenAI.Chat;

ChatClient client = new(
    model: "${sample.model}",
    credential: new ApiKeyCredential("${token}"),
    options: new OpenAIClientOptions { Endpoint = new Uri("${baseUrl}") });

ChatCompletion completion = client.CompleteChat(
    [new UserChatMessage("${sample.message}")],
    new ChatCompletionOptions { MaxOutputTokenCount = ${sample.maxTokens} });

Console.WriteLine(completion.Content[0].Text);`,
  },
  {
    id: 'ai-sdk',
    title: 'Vercel AI SDK',
    language: 'javascript',
    code: `import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

const openai = createOpenAI({
  baseURL: '${baseUrl}',
  apiKey: '${token}',
})

const { text } = await generateText({
  model: openai.chat('${sample.model}'),
  prompt: '${sample.message}',
  maxOutputTokens: ${sample.maxTokens},
})

console.log(text)`,
  },
  {
    id: 'langchain',
    title: 'LangChain',
    language: 'javascript',
    code: `import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: '${sample.model}',
  maxTokens: ${sample.maxTokens},
  apiKey: '${token}',
  configuration: { baseURL: '${baseUrl}' },
})

const message = await model.invoke('${sample.message}')
console.log(message.text)`,
  },
  {
    id: 'codex',
    title: 'Codex',
    language: 'toml',
    code: `# ~/.codex/config.toml, with the token in the environment: export ${agentNames.tokenVariable}=${token}
model_provider = "${agentNames.provider}"

[model_providers.${agentNames.provider}]
name = "${product.name}"
base_url = "${baseUrl}"
env_key = "${agentNames.tokenVariable}"
wire_api = "responses"
supports_websockets = true`,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    language: 'bash',
    code: `# Needs a provider with Anthropic's API: its base URL and the header x-api-key under Proxy Config.
# The same variables can be set in "env" of ~/.claude/settings.json.
export ANTHROPIC_BASE_URL=${baseUrl.replace(/\/v1$/, '')}
export ANTHROPIC_AUTH_TOKEN=${token}
claude`,
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    language: 'bash',
    code: `# Needs a provider with Google's API: its base URL and the header x-goog-api-key under Proxy Config.
export GOOGLE_GEMINI_BASE_URL=${baseUrl.replace(/\/v1$/, '')}
export GEMINI_API_KEY=${token}
gemini`,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    language: 'bash',
    code: `# Cursor Settings › Models › API Keys. Cursor's servers send the requests: they must be able to reach this address.
# OpenAI API Key
${token}
# Override OpenAI Base URL
${baseUrl}`,
  },
]
