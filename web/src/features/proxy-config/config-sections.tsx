import { useWatch } from 'react-hook-form'
import { provider } from '#schemas/product.ts'
import { SaveProxyConfig } from '#schemas/proxy-config.ts'
import { toUpstreamUrl } from '#schemas/upstream-url.ts'
import { Card } from '#web/ui/card.tsx'
import { codeInput } from '#web/ui/input.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { FormSwitch } from '#web/ui/switch-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { ConfigSectionProps } from './config-values.ts'
import { NumberSetting } from './number-setting.tsx'

const credentials = [
  { value: 'authorization', label: 'Authorization: Bearer' },
  { value: 'api-key', label: 'api-key (Azure OpenAI)' },
  { value: 'x-api-key', label: 'x-api-key (Anthropic)' },
  { value: 'x-goog-api-key', label: 'x-goog-api-key (Google)' },
] as const

const distributions = [
  { value: 'primary-first', label: 'Primary first' },
  { value: 'spread', label: 'Spread over all active keys' },
] as const

/** Limits, steps and fallbacks: product.md 5.13. */
export const ServerSection = (section: ConfigSectionProps) => (
  <Card title="Server Configuration" description="Where requests go and how long the proxy tries">
    <div className="flex flex-col gap-5 p-4">
      <TextField
        {...section}
        name="baseUrl"
        label="Base URL"
        hint={
          <>
            The provider’s address. {provider.name}: {provider.baseUrl}
            <Destination {...section} />
          </>
        }
        inputMode="url"
        {...codeInput}
        required
      />
      <SelectField
        {...section}
        name="credentialHeader"
        label="Credential"
        hint="The header in which the provider gets its API key."
        options={credentials}
        className="sm:max-w-72"
      />
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
      <SelectField
        {...section}
        name="distribution"
        label="Distribution"
        hint="Spread: each request goes to the key with most left of its limits at the provider."
        options={distributions}
        className="sm:max-w-72"
      />
      <FormSwitch
        {...section}
        name="streamUsage"
        label="Ask for usage in streams"
        hint="Has the provider report tokens at the end of a streamed response, so that its cost is exact."
      />
    </div>
  </Card>
)

export function RateLimitSection(section: ConfigSectionProps) {
  const enabled = useWatch({ control: section.form.control, name: 'rateLimitEnabled' })
  return (
    <Card title="Rate Limiting" description="For all of your tokens together">
      <div className="flex flex-col gap-5 p-4">
        <FormSwitch
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
      <FormSwitch
        {...section}
        name="logBodies"
        label="Log request and response bodies"
        hint="Off: the contents of requests are never logged or stored. Credentials are taken out of headers either way."
      />
      <FormSwitch
        {...section}
        name="logClientAddress"
        label="Log client addresses"
        hint="Keeps the address that each request came from."
      />
      <FormSwitch
        {...section}
        name="logTags"
        label="Log tags"
        hint="Keeps what requests and tokens say in tags, such as the customer, to filter and group by."
      />
    </div>
  </Card>
)

/** Where a chat completion would be sent with the address in the field. */
function Destination({ form }: ConfigSectionProps) {
  const baseUrl = useWatch({ control: form.control, name: 'baseUrl' })
  const { data } = SaveProxyConfig.shape.baseUrl.safeParse(baseUrl)
  if (data === undefined) return null
  return (
    <span className="mt-1 block break-all">
      A chat completion goes to <span className="font-mono">{toUpstreamUrl(data, '/chat/completions')}</span>
    </span>
  )
}
