import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'size' | 'aria-label' | 'children'> & {
  label: string
  icon: ReactNode
}

/** A button without text: its title, or else its label, is a tooltip. */
export const IconButton = ({ label, icon, title = label, ...rest }: IconButtonProps) => (
  <Tooltip text={title}>
    <Button variant="ghost" size="icon" aria-label={label} {...rest}>
      {icon}
    </Button>
  </Tooltip>
)
