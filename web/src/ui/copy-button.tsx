import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '#web/lib/clipboard.ts'
import { errorText } from '#web/lib/text/error-text.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from './button.tsx'

type CopyButtonProps = { text: string; label: string; className?: string }

/** Copies a text that is already on the screen. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await copyText(text)
      setCopied(true)
      toast({ title: 'Copied to clipboard' })
    } catch (error) {
      toast({ title: 'Failed to copy', description: errorText(error), destructive: true })
    }
  }

  return (
    <Button variant="ghost" size="icon" aria-label={label} className={className} onClick={() => void copy()}>
      {copied ? <Check className="text-ok" /> : <Copy />}
    </Button>
  )
}
