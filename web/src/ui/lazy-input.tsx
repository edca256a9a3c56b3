import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import { Input } from './input.tsx'

type LazyInputProps = Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & {
  value: string
  /** Called 300 ms after the last keystroke, and at once on Enter and on blur. */
  onCommit: (value: string) => void
}

/** A text field that does not send a call for each keystroke. */
export function LazyInput({ value, onCommit, ...rest }: LazyInputProps) {
  const [draft, setDraft] = useState(value)
  const [known, setKnown] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== known) {
    setKnown(value)
    // What was sent comes back trimmed, when the next word may already be typed.
    if (value !== sent.trim()) {
      setDraft(value)
      setSent(value)
    }
  }
  const commit = (text: string) => {
    if (text === sent) return
    setSent(text)
    onCommit(text)
  }
  const commitLater = useEffectEvent(commit)
  useEffect(() => {
    const timer = setTimeout(() => commitLater(draft), 300)
    return () => clearTimeout(timer)
  }, [draft])
  return (
    <Input
      {...rest}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => commit(draft)}
      onKeyDown={(event) => event.key === 'Enter' && commit(draft)}
    />
  )
}
