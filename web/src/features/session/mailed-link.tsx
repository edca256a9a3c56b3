import { useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/**
 * The screen of a mailed link, whose secret is in the fragment. Each secret gets a screen of its own, because another link
 * that is opened in the same tab does not load the document again.
 */
export function MailedLink({ screen: Screen }: { screen: ComponentType<{ secret: string }> }) {
  const { hash: secret } = useLocation()
  return <Screen key={secret} secret={secret} />
}
