import type { LucideIcon } from 'lucide-react'

export type Command = { label: string; icon: LucideIcon; run: () => void }
export type CommandGroup = { heading: string; commands: readonly Command[] }
