import { Card } from '#web/ui/card.tsx'
import { SwitchSetting } from './config-fields.tsx'
import type { ConfigSectionProps } from './config-values.ts'

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
    </div>
  </Card>
)
