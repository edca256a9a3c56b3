import { type Alert, AlertDraft, type AlertMeasure, SaveAlert } from '#schemas/alerts.ts'

/** @returns undefined when the link can't be read */
export const readDraft = (draft: unknown): AlertDraft | undefined => AlertDraft.safeParse(draft).data

export const usualThresholds: Record<AlertMeasure, number> = {
  errorRate: 5,
  p95: 5_000,
  cost: 10,
  requests: 1_000,
  budget: 80,
}

/** A new alert with the values from a link. */
export const fromDraft = ({ measure = 'errorRate', filters, group = null }: AlertDraft): SaveAlert => ({
  name: '',
  measure,
  comparison: 'over',
  threshold: usualThresholds[measure],
  windowMinutes: 15,
  filters: filters ?? { status: 'all', method: 'all' },
  group,
  enabled: true,
  mail: true,
  webhookIds: [],
})

export const settingsOf = (alert: Alert): SaveAlert => SaveAlert.strip().parse(alert)
