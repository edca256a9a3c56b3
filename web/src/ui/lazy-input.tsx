import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import { Input } from './input.tsx'

type LazyInputProps = Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & {
  value: string
  /** Called a moment after the last keystroke, and at once on Enter and on blur. */
  onCommit: (value: string) => void
}

const waitMs = 300
/**
 * Keys may be composed to characters, such as Chinese ones: until then, the text is not what is meant. But a keyboard of
 * Android composes each word, until a space follows.
 */
const composingWaitMs = 1_500

/** A text field that does not send a call for each keystroke. */
export function LazyInput({ value, onCommit, ...rest }: LazyInputProps) {
  const [draft, setDraft] = useState(value)
  const [known, setKnown] = useState(value)
  const [sent, setSent] = useState(value)
  const [isComposing, setIsComposing] = useState(false)
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
    const timer = setTimeout(() => commitLater(draft), isComposing ? composingWaitMs : waitMs)
    return () => clearTimeout(timer)
  }, [draft, isComposing])
  return (
    <Input
      {...rest}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => commit(draft)}
      onCompositionStart={() => setIsComposing(true)}
      onCompositionEnd={() => setIsComposing(false)}
      onKeyDown={(event) => event.key === 'Enter' && !isComposing && commit(draft)}
    />
  )
}
