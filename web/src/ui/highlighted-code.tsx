import bash from 'highlight.js/lib/languages/bash'
import csharp from 'highlight.js/lib/languages/csharp'
import go from 'highlight.js/lib/languages/go'
import toml from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import { createLowlight } from 'lowlight'
import type { ReactNode } from 'react'

const languages = { bash, csharp, go, java, javascript, json, python, toml }
const lowlight = createLowlight(languages)

export type CodeLanguage = keyof typeof languages

type Nodes = ReturnType<typeof lowlight.highlight>['children']

/** Renders code as elements, never as markup: its content stays text. */
export const HighlightedCode = ({ code, language }: { code: string; language: CodeLanguage }) =>
  render(lowlight.highlight(language, code).children)

const render = (nodes: Nodes): ReactNode =>
  nodes.map((node, index) => {
    if (node.type === 'text') return node.value
    if (node.type !== 'element') return null
    const { className } = node.properties
    return (
      <span key={index} className={Array.isArray(className) ? className.join(' ') : undefined}>
        {render(node.children)}
      </span>
    )
  })
