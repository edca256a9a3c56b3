import { useNavigate } from '@tanstack/react-router'
import { Download, Link2, RotateCcw, Terminal } from 'lucide-react'
import { product } from '#schemas/product.ts'
import { copyWithToast } from '#web/lib/browser/clipboard.ts'
import { passToTester } from '#web/lib/browser/handed-request.ts'
import { formatJson } from '#web/lib/text/format.ts'
import { Button } from '#web/ui/button.tsx'
import { curlCommand, repeatableHeaders, repeatablePath } from './curl-command.ts'
import { cutRequestText } from './cut-text.ts'
import { downloadLog } from './download-log.ts'
import type { RequestLog } from '#schemas/request-logs.ts'

/** Passes a logged request to the request tester, in the form of the tester's four fields. */
function sendToTester(log: RequestLog) {
  const { method, requestHeaders, requestBody } = log
  const headers = JSON.stringify(repeatableHeaders(requestHeaders), null, 2)
  passToTester({ method, endpoint: repeatablePath(log), headers, body: formatJson(requestBody ?? '') })
}

type DetailsActionsProps = { id: string; log: RequestLog | undefined; onClose: () => void }

export function DetailsActions({ id, log, onClose }: DetailsActionsProps) {
  const navigate = useNavigate()
  const proxyUrl = window.location.origin + product.proxyPath
  const cut = log ? cutRequestText(log) : null
  const copyCommand = (stored: RequestLog) =>
    copyWithToast(curlCommand(stored, proxyUrl, cut), {
      title: 'cURL command copied',
      ...(cut && { description: `Its ${cut}.` }),
    })
  const link = `${window.location.origin}/request-logs?log=${id}`
  return (
    <footer className="grid grid-cols-2 gap-2 border-t border-raised-line px-5 py-3 sm:flex sm:flex-wrap">
      <Button size="sm" onClick={() => void copyWithToast(link, { title: 'Link copied' })}>
        <Link2 />
        Copy link
      </Button>
      <Button size="sm" disabled={!log} onClick={() => log && void copyCommand(log)}>
        <Terminal />
        Copy as cURL
      </Button>
      <Button size="sm" disabled={!log} onClick={() => log && downloadLog(log)}>
        <Download />
        Download
      </Button>
      <Button
        size="sm"
        disabled={!log || cut !== null}
        onClick={() => {
          if (!log) return
          sendToTester(log)
          onClose()
          void navigate({ to: '/' })
        }}
      >
        <RotateCcw />
        Send again
      </Button>
      {cut !== null && <p className="col-span-full self-center text-xs text-muted">Can’t be sent again: its {cut}.</p>}
    </footer>
  )
}
