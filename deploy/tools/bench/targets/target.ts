export type TargetName =
  | 'direct'
  | 'nginx'
  | 'bare'
  | 'portkey'
  | 'unlimited'
  | 'sallyport'
  | 'budgeted'
  | 'two'
  | 'unlimited-against'
  | 'against'

export interface Target {
  name: TargetName
  /** Index of the process among those of that name, from 0. */
  start: number
  label: string
  /** URL of its chat completions. */
  url: string
  headers: Record<string, string>
  /** The measured process, with its children; undefined for the provider itself. */
  pid: number | undefined
}

export const completionsPath = '/v1/chat/completions'
