import type { ReactNode } from 'react'
import { Tab, TabList, Tabs } from './tabs.tsx'

type ControlledTabsProps<Value extends string> = {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  /** Names of the tabs, in their order. */
  options: readonly { value: Value; label: string }[]
  /** One panel per tab. */
  children: ReactNode
}

/** Tabs whose state is kept elsewhere, such as in the URL. */
export function ControlledTabs<Value extends string>(props: ControlledTabsProps<Value>) {
  const { label, value, onValueChange, options, children } = props
  return (
    <Tabs
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
    >
      <TabList aria-label={label}>
        {options.map((option) => (
          <Tab key={option.value} value={option.value}>
            {option.label}
          </Tab>
        ))}
      </TabList>
      {children}
    </Tabs>
  )
}
