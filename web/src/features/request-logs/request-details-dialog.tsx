import { useQuery } from '@tanstack/react-query'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { DetailsText } from './details-text.tsx'
import { requestLogQuery } from './request-logs-queries.ts'
import { RequestOverview } from './request-overview.tsx'

type RequestDetailsDialogProps = { log: RequestLogSummary; open: boolean; onClose: () => void }

export const RequestDetailsDialog = ({ log, open, onClose }: RequestDetailsDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={(next) => !next && onClose()}
    size="lg"
    title="Request Details"
    description={
      <span className="font-mono text-xs break-all">
        {log.method} {log.endpoint}
      </span>
    }
  >
    <RequestDetails log={log} />
  </Dialog>
)

function RequestDetails({ log }: { log: RequestLogSummary }) {
  const details = useQuery(requestLogQuery(log.id))
  const skeleton = <Skeleton className="h-40 w-full" />
  const errorTitle = 'The details could not be loaded'
  return (
    <Tabs defaultValue="overview" className="min-h-80">
      <TabList aria-label="Parts of the request">
        <Tab value="overview">Overview</Tab>
        <Tab value="request">Request</Tab>
        <Tab value="response">Response</Tab>
        <Tab value="headers">Headers</Tab>
      </TabList>
      <TabPanel value="overview">
        <RequestOverview log={log} />
      </TabPanel>
      <TabPanel value="request">
        <QueryView query={details} skeleton={skeleton} errorTitle={errorTitle}>
          {({ requestBody }) => <DetailsText label="Request body" text={requestBody} isBody />}
        </QueryView>
      </TabPanel>
      <TabPanel value="response">
        <QueryView query={details} skeleton={skeleton} errorTitle={errorTitle}>
          {({ responseBody }) => <DetailsText label="Response body" text={responseBody} isBody />}
        </QueryView>
      </TabPanel>
      <TabPanel value="headers">
        <QueryView query={details} skeleton={skeleton} errorTitle={errorTitle}>
          {({ requestHeaders, responseHeaders }) => (
            <div className="flex flex-col gap-4">
              <DetailsText label="Request headers" text={requestHeaders && JSON.stringify(requestHeaders)} />
              <DetailsText label="Response headers" text={responseHeaders && JSON.stringify(responseHeaders)} />
            </div>
          )}
        </QueryView>
      </TabPanel>
    </Tabs>
  )
}
