import { useQuery } from '@tanstack/react-query'
import type { Pipeline } from '#schemas/pipeline.ts'
import { formatCount, formatDuration, formatKnown, formatRecent } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { MetricStrip } from '#web/ui/metric-strip.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { DeadLettersCard } from './dead-letters-card.tsx'
import { Equation } from './equation.tsx'
import { pipelineQuery } from './pipeline-queries.ts'
import { ProcessCards } from './process-cards.tsx'

/** The log pipeline from the proxies to the store, for operators. */
export function PipelineScreen() {
  const pipeline = useQuery(pipelineQuery)
  return (
    <>
      <PageHeader
        title="Log Pipeline"
        description="Every finished request, on its way from the proxy to the store."
        badge={pipeline.data && <Watermark pipeline={pipeline.data} />}
      />
      <QueryView
        query={pipeline}
        skeleton={
          <Panel>
            <RowSkeletons rows={4} />
          </Panel>
        }
        errorTitle="The pipeline could not be read"
      >
        {(data) => (
          <>
            <Equation pipeline={data} />
            <Metrics pipeline={data} />
            <ProcessCards pipeline={data} />
            <DeadLettersCard />
          </>
        )}
      </QueryView>
    </>
  )
}

function Watermark({ pipeline: { completeUntil } }: { pipeline: Pipeline }) {
  const zone = useTimeZone()
  if (completeUntil === null) return null
  return <Badge>Complete up to {formatRecent(completeUntil, zone)}</Badge>
}

function Metrics({ pipeline }: { pipeline: Pipeline }) {
  const { at, queuedBatches, oldestWaitingAt, ingestLagP50Ms, ingestLagP95Ms, parts } = pipeline
  const waiting = oldestWaitingAt === null ? null : Math.max(0, Date.parse(at) - Date.parse(oldestWaitingAt))
  return (
    <MetricStrip
      label="Readings"
      metrics={[
        { label: 'Queue depth', value: formatCount(queuedBatches), note: 'Batches that wait' },
        {
          label: 'Oldest event',
          value: waiting === null ? 'None' : formatDuration(waiting),
          note: 'Has waited so long',
        },
        {
          label: 'Ingest lag, p50',
          value: formatKnown(ingestLagP50Ms, formatDuration),
          note: 'From response to store',
        },
        {
          label: 'Ingest lag, p95',
          value: formatKnown(ingestLagP95Ms, formatDuration),
          note: 'From response to store',
        },
        { label: 'Parts', value: formatKnown(parts, formatCount), note: 'Of the tables of logs' },
      ]}
    />
  )
}
