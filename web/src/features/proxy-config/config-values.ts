import type { Control } from 'react-hook-form'
import type { z } from 'zod'
import { SaveProxyConfig } from '#schemas/proxy-config.ts'

/** What the form holds: every setting, without the password that a new origin may need. */
export const ConfigValues = SaveProxyConfig.omit({ currentPassword: true }).required()
export type ConfigValues = z.infer<typeof ConfigValues>

export type ConfigSectionProps = {
  control: Control<ConfigValues>
  /** Called on every edit. Source: product.md 10.9. */
  onEdit: () => void
}
