import { clientBaseUrl } from '#web/lib/base-url.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { codeExamples, tokenPlaceholder } from './code-examples.ts'

/** `token`: the full token; empty until one is chosen. */
export function CodeExamplesTabs({ token }: { token: string }) {
  const examples = codeExamples(clientBaseUrl(), token || tokenPlaceholder)
  return (
    <Tabs defaultValue="curl">
      <TabList aria-label="Language" className="flex-wrap">
        {examples.map(({ id, title }) => (
          <Tab key={id} value={id}>
            {title}
          </Tab>
        ))}
      </TabList>
      {examples.map(({ id, title, language, code }) => (
        <TabPanel key={id} value={id}>
          <CodeBlock label={`${title} example`} code={code} language={language} />
        </TabPanel>
      ))}
    </Tabs>
  )
}
