import { Controller, useWatch } from 'react-hook-form'
import { provider } from '#schemas/product.ts'
import { SaveProxyConfig } from '#schemas/proxy-config.ts'
import { toUpstreamUrl } from '#schemas/upstream-url.ts'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { NumberSetting, SwitchSetting } from './config-fields.tsx'
import type { ConfigSectionProps } from './config-values.ts'
import { CredentialSetting, DistributionSetting } from './select-settings.tsx'

/** Limits, steps and fallbacks: product.md 5.13. */
export const ServerSection = (section: ConfigSectionProps) => (
  <Card title="Server Configuration" description="Where requests go and how long the proxy tries">
    <div className="flex flex-col gap-5 p-4">
      <Controller
        control={section.control}
        name="baseUrl"
        render={({ field, fieldState }) => (
          <Field
            label="Base URL"
            hint={
              <>
                The provider’s address. {provider.name}: {provider.baseUrl}
                <Destination baseUrl={field.value} />
              </>
            }
            error={fieldState.error?.message}
          >
            {(aria) => (
              <Input
                {...aria}
                {...field}
                onChange={(event) => {
                  field.onChange(event)
                  section.onEdit()
                }}
                inputMode="url"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                className="font-mono"
                required
              />
            )}
          </Field>
        )}
      />
      <CredentialSetting {...section} />
      <div className="flex flex-col gap-5 sm:flex-row">
        <NumberSetting
          {...section}
          name="timeout"
          label="Timeout (ms)"
          hint="1000 to 300000. The longest wait for the first byte, and the longest silence after it. A response that is not streamed has to be ready within this time as a whole."
          min={1_000}
          max={300_000}
          step={1_000}
          fallback={30_000}
        />
        <NumberSetting
          {...section}
          name="retryAttempts"
          label="Retry Attempts"
          hint="0 to 10 more tries when the provider fails."
          min={0}
          max={10}
          fallback={3}
        />
      </div>
      <NumberSetting
        {...section}
        name="cacheSeconds"
        label="Cache identical requests for (seconds)"
        hint="0 to 86400. While it is on, Cache-Control on a request wins; 0 is off for every request."
        min={0}
        max={86_400}
        fallback={0}
      />
      <DistributionSetting {...section} />
      <SwitchSetting
        {...section}
        name="streamUsage"
        label="Ask for usage in streams"
        hint="Has the provider report tokens at the end of a streamed response, so that its cost is exact."
      />
    </div>
  </Card>
)

export function RateLimitSection(section: ConfigSectionProps) {
  const enabled = useWatch({ control: section.control, name: 'rateLimitEnabled' })
  return (
    <Card title="Rate Limiting" description="For all of your tokens together">
      <div className="flex flex-col gap-5 p-4">
        <SwitchSetting
          {...section}
          name="rateLimitEnabled"
          label="Enable Rate Limiting"
          hint="Requests above the limit get 429 and don’t reach the provider."
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

export const PrivacySection = (section: ConfigSectionProps) => (
  <Card title="Privacy" description="What the request logs keep">
    <div className="flex flex-col gap-5 p-4">
      <SwitchSetting
        {...section}
        name="logBodies"
        label="Log request and response bodies"
        hint="Off: the contents of requests are never logged or stored. Credentials are taken out of headers either way."
      />
      <SwitchSetting
        {...section}
        name="logClientAddress"
        label="Log client addresses"
        hint="Keeps the address that each request came from."
      />
      <SwitchSetting
        {...section}
        name="logTags"
        label="Log tags"
        hint="Keeps what requests and tokens say in tags, such as the customer, to filter and group by."
      />
    </div>
  </Card>
)

/** Where a chat completion would go with what is in the field. */
function Destination({ baseUrl }: { baseUrl: string }) {
  const { data } = SaveProxyConfig.shape.baseUrl.safeParse(baseUrl)
  if (data === undefined) return null
  return (
    <span className="mt-1 block break-all">
      A chat completion goes to <span className="font-mono">{toUpstreamUrl(data, '/chat/completions')}</span>
    </span>
  )
}
