import { Controller } from 'react-hook-form'
import { provider } from '#schemas/product.ts'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { NumberSetting, SwitchSetting } from './config-fields.tsx'
import type { ConfigSectionProps } from './config-values.ts'

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
            hint={`The provider’s address. ${provider.name}: ${provider.baseUrl}`}
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
      <div className="flex flex-col gap-5 sm:flex-row">
        <NumberSetting
          {...section}
          name="timeout"
          label="Timeout (ms)"
          hint="1000 to 300000. The longest wait for the first byte, and the longest silence after it."
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
      <SwitchSetting
        {...section}
        name="streamUsage"
        label="Ask for usage in streams"
        hint="Has the provider report tokens at the end of a streamed answer, so that its cost is exact."
      />
    </div>
  </Card>
)
