import { type ReactNode, useLayoutEffect, useRef } from 'react'
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
  const list = useRef<HTMLDivElement>(null)
  const shown = options.findIndex((option) => option.value === value)
  useLayoutEffect(() => scrollTo(list.current, shown), [shown])
  return (
    <Tabs
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
    >
      <TabList ref={list} aria-label={label}>
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

/** On small screens, a link can lead to a tab beyond the edge. Unlike `scrollIntoView`, scrolls nothing but the list. */
function scrollTo(list: HTMLElement | null, index: number) {
  const tab = list?.children[index]?.getBoundingClientRect()
  if (!list || !tab) return
  const { left, right } = list.getBoundingClientRect()
  list.scrollLeft += Math.max(0, tab.right - right) + Math.min(0, tab.left - left)
}
