/** Source: product.md 10.16. */
const timezones = [
  { value: 'UTC', label: 'UTC' },
  { value: 'America/New_York', label: 'Eastern Time' },
  { value: 'America/Chicago', label: 'Central Time' },
  { value: 'America/Denver', label: 'Mountain Time' },
  { value: 'America/Los_Angeles', label: 'Pacific Time' },
  { value: 'Europe/London', label: 'London' },
  { value: 'Europe/Paris', label: 'Paris' },
  { value: 'Asia/Tokyo', label: 'Tokyo' },
]

/** With the one that is set, should another program have set one of the others. */
export const timezoneOptions = (set: string) =>
  timezones.some(({ value }) => value === set) ? timezones : [...timezones, { value: set, label: set }]
