import { type ComponentProps, useState } from 'react'
import { Input } from './input.tsx'

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: number
  /** The value while the text is not a number. */
  fallback: number
  onValueChange: (value: number) => void
}

/** A number. Any text may be typed; on blur the field shows the value in use. */
export function NumberInput({ value, fallback, onValueChange, ...rest }: NumberInputProps) {
  const [draft, setDraft] = useState<string | null>(null)

  function change(text: string) {
    const number = Number(text)
    setDraft(text)
    onValueChange(text.trim() === '' || Number.isNaN(number) ? fallback : number)
  }

  return (
    <Input
      {...rest}
      type="number"
      inputMode="numeric"
      value={draft ?? value}
      onChange={(event) => change(event.target.value)}
      onBlur={() => setDraft(null)}
    />
  )
}
