import { Send, Square, SquareTerminal } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { z } from 'zod'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { errorText } from '#web/lib/text/error-text.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ControlledTabs } from '#web/ui/controlled-tabs.tsx'
import { TabPanel } from '#web/ui/tabs.tsx'
import { curlCommand } from './curl-command.ts'
import { useTesterFocus } from './focus-tester.ts'
import { HistoryMenu } from './history-menu.tsx'
import { RequestPanel } from './request-panel.tsx'
import { ResponsePanel } from './response-panel.tsx'
import { useTester } from './use-tester.ts'
import { endpointError, type TesterRequest } from './tester-request.ts'

async function copyAsCurl(request: TesterRequest) {
  try {
    await copyText(curlCommand(request, window.location.origin))
    toast({ title: 'Copied as cURL', description: 'Put one of your secure tokens where it says st_your_token.' })
  } catch (error) {
    toast({ title: 'Failed to copy', description: reasonOf(request, error), destructive: true })
  }
}

function reasonOf({ endpoint }: TesterRequest, error: unknown): string {
  const isOfHeaders = error instanceof SyntaxError || error instanceof z.ZodError
  return endpointError(endpoint) ?? (isOfHeaders ? 'The headers are not a JSON object of texts.' : errorText(error))
}

/** Sends a request through the proxy as the signed-in user. Source: product.md 10.4. */
export function RequestTesterCard({ accountId }: { accountId: string }) {
  const tester = useTester(accountId)
  const sendRef = useRef<HTMLButtonElement>(null)
  useTesterFocus(sendRef)

  function sendByShortcut(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    // Keeps the editor from inserting a new line.
    event.preventDefault()
    event.stopPropagation()
    tester.send()
  }

  return (
    <Card
      title="API Request Tester"
      description="Through the proxy, with your session; counts like any other request"
      action={<HistoryMenu entries={tester.history} onPick={tester.load} onClear={tester.clearHistory} />}
    >
      <form
        className="p-4 pt-1"
        onKeyDownCapture={sendByShortcut}
        onSubmit={(event) => {
          event.preventDefault()
          tester.send()
        }}
      >
        <ControlledTabs
          label="Request and response"
          value={tester.tab}
          onValueChange={tester.setTab}
          options={[
            { value: 'request', label: 'Request' },
            { value: 'response', label: 'Response' },
          ]}
        >
          <TabPanel value="request" className="min-h-110">
            <RequestPanel request={tester.request} onChange={tester.setRequest} />
          </TabPanel>
          <TabPanel value="response" className="min-h-110">
            <ResponsePanel response={tester.response} sending={tester.sending} />
          </TabPanel>
        </ControlledTabs>
        <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-line pt-4">
          <Button
            ref={sendRef}
            type="submit"
            variant="primary"
            pendingText={tester.sending && 'Sending...'}
            className="max-sm:flex-1"
          >
            <Send />
            Send Request
          </Button>
          {tester.sending && (
            <Button
              onClick={() => {
                // The pressed button disappears.
                sendRef.current?.focus()
                tester.stop()
              }}
            >
              <Square />
              Stop
            </Button>
          )}
          <Button variant="ghost" className="sm:ml-auto" onClick={() => void copyAsCurl(tester.request)}>
            <SquareTerminal />
            Copy as cURL
          </Button>
        </div>
      </form>
    </Card>
  )
}
