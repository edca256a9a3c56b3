import { useQuery } from '@tanstack/react-query'
import { proxyConfigQuery } from '#web/lib/queries/proxy-config.ts'
import { Card } from '#web/ui/card.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton, SkeletonList } from '#web/ui/skeleton.tsx'
import { ConfigForm } from './config-form.tsx'
import { ConfigHeader } from './config-header.tsx'
import { ModelPricesCard } from './model-prices/model-prices-card.tsx'

export function ProxyConfigScreen() {
  const config = useQuery(proxyConfigQuery)
  if (config.data) {
    return (
      <>
        <ConfigForm config={config.data} />
        <div className="mt-6 grid gap-6 lg:grid-cols-3">
          <ModelPricesCard className="lg:col-span-2" />
        </div>
      </>
    )
  }
  return (
    <>
      <ConfigHeader edited={false} saving={false} />
      <QueryView query={config} skeleton={<ConfigSkeleton />} errorTitle="The proxy configuration could not be loaded">
        {() => null}
      </QueryView>
    </>
  )
}

const ConfigSkeleton = () => (
  <div className="grid items-start gap-6 lg:grid-cols-3">
    <div className="flex flex-col gap-6 lg:col-span-2">
      <Card title="Server Configuration" description="Where requests go and how long the proxy tries">
        <Fields count={4} />
      </Card>
      <Card title="Rate Limiting" description="For all of your tokens together">
        <Fields count={2} />
      </Card>
    </div>
    <Card title="Configuration Summary">
      <Fields count={4} />
    </Card>
  </div>
)

const Fields = ({ count }: { count: number }) => (
  <SkeletonList rows={count} className="flex flex-col gap-5 p-4">
    <Skeleton className="h-3.5 w-28" />
    <Skeleton className="mt-2 h-9 w-full" />
  </SkeletonList>
)
