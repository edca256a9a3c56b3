/** In the order of the table. */
export const targetNames = ['direct', 'nginx', 'bare', 'portkey', 'sallyport', 'two', 'against'] as const
export type TargetName = (typeof targetNames)[number]

export interface Target {
  name: TargetName
  label: string
  /** Of its chat completions. */
  url: string
  headers: Record<string, string>
  /** The measured process, with its children; undefined for the provider itself. */
  pid: number | undefined
}

export const completionsPath = '/v1/chat/completions'
