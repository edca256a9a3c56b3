import { maskSecret } from '#schemas/secrets.ts'
import { clientBaseUrl } from '#web/lib/base-url.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { codeExamples, tokenPlaceholder } from './code-examples.ts'

/** `token`: the full token, which is masked on the screen and copied whole; empty until one is chosen. */
export function CodeExamplesTabs({ token }: { token: string }) {
  const baseUrl = clientBaseUrl()
  const examples = codeExamples(baseUrl, token || tokenPlaceholder)
  const masked = token === '' ? examples : codeExamples(baseUrl, maskSecret(token))
  return (
    <Tabs defaultValue="curl">
      <TabList aria-label="Language" className="flex-wrap">
        {examples.map(({ id, title }) => (
          <Tab key={id} value={id}>
            {title}
          </Tab>
        ))}
      </TabList>
      {masked.map(({ id, title, language, code }, index) => (
        <TabPanel key={id} value={id}>
          <CodeBlock
            label={`${title} example`}
            code={code}
            copied={examples[index]?.code ?? code}
            language={language}
          />
        </TabPanel>
      ))}
    </Tabs>
  )
}
