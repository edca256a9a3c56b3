import type { Page } from '@playwright/test'

/**
 * Translates a page into capital letters in the way of Chrome's translator: each text is replaced by `<font>` elements,
 * and so is each text that appears or changes later.
 */
export const translate = (page: Page) =>
  page.evaluate(() => {
    const untranslated = '[translate=no], svg, textarea, [contenteditable], font'
    const translateText = (text: Node) => {
      const parent = text.parentElement
      if (!parent || parent.closest(untranslated) || !text.nodeValue?.trim()) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.append(text.nodeValue.toUpperCase())
      outer.append(inner)
      parent.insertBefore(outer, text)
      parent.removeChild(text)
    }
    const translateAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Node[] = root instanceof Text ? [root] : []
      for (let text = walker.nextNode(); text; text = walker.nextNode()) texts.push(text)
      texts.forEach(translateText)
    }
    translateAll(document.body)
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        (type === 'characterData' ? [target] : [...addedNodes]).forEach(translateAll)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
