import bowser from 'bowser'

/** Browser and system without versions, because an update is not a new device. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = bowser.parse(userAgent)
  const program = browser.name || /^[\w.-]{1,40}/.exec(userAgent)?.[0] || 'Unknown program'
  return os.name ? `${program} on ${os.name}` : program
}
