import type { UseQueryResult } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RequestLog, RequestLogSummary } from '#schemas/request-logs.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { usePrintedAt } from '#web/ui/use-printed-at.ts'
import { AttemptList } from './attempt-list.tsx'
import { BodyText } from './body-text.tsx'
import { HeaderList } from './header-list.tsx'
import { LatencyBar } from './latency-bar.tsx'
import { type LogDetails, storedLog } from '../request-logs-queries.ts'
import { RequestOrigin, RequestOverview } from './request-overview.tsx'
import { ResponseList } from './response-list.tsx'

type DetailsTabsProps = { details: UseQueryResult<LogDetails>; summary: RequestLogSummary | undefined }

/** Source: product.md 10.10. */
export function DetailsTabs({ details, summary }: DetailsTabsProps) {
  const stored = (show: (log: RequestLog) => ReactNode) => (
    <QueryView
      query={details}
      skeleton={<Skeleton className="h-40 w-full" />}
      errorTitle="The details could not be loaded"
    >
      {(log) => ('pending' in log ? <PendingLog /> : show(log))}
    </QueryView>
  )
  const shown = storedLog(details.data) ?? summary
  // In print, all parts follow each other.
  const all = usePrintedAt() === undefined ? {} : ({ forceMount: true } as const)
  return (
    <Tabs defaultValue="overview" className="@container flex-1">
      <TabList aria-label="Parts of the request" className="print:hidden">
        <Tab value="overview">Overview</Tab>
        <Tab value="request">Request</Tab>
        <Tab value="response">Response</Tab>
        <Tab value="headers">Headers</Tab>
      </TabList>
      <TabPanel value="overview" {...all}>
        <div className="flex flex-col gap-4">
          {shown && <RequestOverview log={shown} />}
          {stored((kept) => (
            <div className="flex flex-col gap-6">
              <RequestOrigin log={kept} />
              <LatencyBar log={kept} />
              {kept.attemptLog.length > 0 && <AttemptList log={kept} />}
              {kept.responses.length > 0 && <ResponseList log={kept} />}
            </div>
          ))}
        </div>
      </TabPanel>
      {(['request', 'response'] as const).map((side) => (
        <TabPanel key={side} value={side} {...all}>
          {stored((kept) => (
            <BodyText log={kept} side={side} />
          ))}
        </TabPanel>
      ))}
      <TabPanel value="headers" {...all}>
        {stored(({ requestHeaders, responseHeaders }) => (
          <div className="flex flex-col gap-5">
            <HeaderList label="Request headers" headers={requestHeaders} />
            <HeaderList label="Response headers" headers={responseHeaders} />
          </div>
        ))}
      </TabPanel>
    </Tabs>
  )
}

const PendingLog = () => (
  <EmptyState icon={Hourglass} title="On its way">
    The proxy has responded to this request; its log is being stored and appears here in a moment.
  </EmptyState>
)
