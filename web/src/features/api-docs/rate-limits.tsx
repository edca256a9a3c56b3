import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { provider } from '#schemas/product.ts'
import { formatCounted } from '#web/lib/text/format.ts'
import { proxyConfigQuery } from '#web/lib/queries/proxy-config.ts'

export function RateLimits() {
  const { data: config } = useQuery(proxyConfigQuery)
  return (
    <div className="flex flex-col gap-2">
      <p>Rate limits are inherited from your {provider.name} account: its 429 responses come through as they are.</p>
      <p>
        The proxy adds its own limit for all of your tokens together
        {config && (
          <>
            , now{' '}
            <strong className="font-semibold tabular-nums">
              {config.rateLimitEnabled
                ? `${formatCounted(config.maxRequestsPerMinute, 'request')} per minute`
                : 'switched off'}
            </strong>
          </>
        )}
        . Change it in{' '}
        <Link to="/proxy-config" className="text-accent underline underline-offset-2">
          Proxy Config
        </Link>
        .
      </p>
    </div>
  )
}
