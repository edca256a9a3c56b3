import { z } from 'zod'
import { requiredName } from './plain-text.ts'

/** Parts of the control API that a key can be granted. Sign-in, sessions and payments are for people only. */
export const managementAreas = ['credentials', 'logs', 'alerts', 'account'] as const
export type ManagementArea = (typeof managementAreas)[number]

export const ManagementScope = z
  .templateLiteral([z.enum(managementAreas), ':', z.enum(['read', 'write'])])
  .describe('`write` includes `read`.')
export type ManagementScope = z.infer<typeof ManagementScope>

/** Maximum lifetime of a key, days. */
export const maxManagementKeyDays = 365

export const NewManagementKey = z.object({
  name: requiredName('Name', 60, 'Please enter a name'),
  scopes: z
    .array(ManagementScope)
    .min(1, 'Choose at least one area')
    .max(managementAreas.length, 'Choose each area once')
    .refine((scopes) => new Set(scopes.map(areaOf)).size === scopes.length, 'Choose each area once'),
  days: z.number().int().min(1).max(maxManagementKeyDays).default(90).describe('Days until it expires.'),
})
export type NewManagementKey = z.infer<typeof NewManagementKey>

export const ManagementKey = z.object({
  id: z.uuid(),
  name: z.string(),
  maskedKey: z.string(),
  scopes: z.array(ManagementScope),
  expiresAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe('Accurate to the minute.'),
})
export type ManagementKey = z.infer<typeof ManagementKey>

export const CreatedManagementKey = ManagementKey.extend({
  key: z.string().meta({ example: 'sm_example' }).describe('Shown only once.'),
})

function areaOf(scope: ManagementScope) {
  return scope.split(':')[0]
}
