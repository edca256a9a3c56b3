import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyWithToast } from '#web/lib/browser/clipboard.ts'
import { IconButton } from './icon-button.tsx'

type CopyButtonProps = { text: string; label: string; className?: string }

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => setCopied(await copyWithToast(text, { title: 'Copied to clipboard' }))

  return (
    <IconButton
      label={label}
      icon={copied ? <Check className="text-ok" /> : <Copy />}
      className={className}
      onClick={() => void copy()}
    />
  )
}
