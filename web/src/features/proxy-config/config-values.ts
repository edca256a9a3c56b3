import type { Control } from 'react-hook-form'
import type { z } from 'zod'
import { SaveProxyConfig } from '#schemas/proxy-config.ts'

/** What the form holds: every setting. */
export const ConfigValues = SaveProxyConfig.required()
export type ConfigValues = z.infer<typeof ConfigValues>

export type ConfigSectionProps = {
  control: Control<ConfigValues>
  /** Told of every edit. Source: specification §4, "Config editing". */
  onEdit: () => void
}
