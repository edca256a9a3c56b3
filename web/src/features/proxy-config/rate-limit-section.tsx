import { useWatch } from 'react-hook-form'
import { Card } from '#web/ui/card.tsx'
import { NumberSetting, SwitchSetting } from './config-fields.tsx'
import type { ConfigSectionProps } from './config-values.ts'

export function RateLimitSection(section: ConfigSectionProps) {
  const enabled = useWatch({ control: section.control, name: 'rateLimitEnabled' })
  return (
    <Card title="Rate Limiting" description="For all of your tokens together">
      <div className="flex flex-col gap-5 p-4">
        <SwitchSetting
          {...section}
          name="rateLimitEnabled"
          label="Enable Rate Limiting"
          hint="Requests above the limit are answered with 429 and don’t reach the provider."
        />
        {enabled && (
          <NumberSetting
            {...section}
            name="maxRequestsPerMinute"
            label="Max Requests per Minute"
            hint="1 to 1000."
            min={1}
            max={1_000}
            fallback={60}
          />
        )}
      </div>
    </Card>
  )
}
