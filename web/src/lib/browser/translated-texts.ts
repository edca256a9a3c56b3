/** What a translator shows in place of a text. */
const translations = new WeakMap<Node, ChildNode>()

/** Puts a text back in place of its translation. The translator notices, and translates it again. */
const putBack = (text: Node) => translations.get(text)?.replaceWith(text)

const watchWrites = new MutationObserver((writes) => {
  for (const { target } of writes) putBack(target)
})

function findTranslations(changes: MutationRecord[]) {
  const added = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]))
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
    for (const text of removedNodes) {
      if (!(text instanceof Text)) continue
      const translation = [...addedNodes, previousSibling, nextSibling].find(
        (node) => node instanceof HTMLFontElement && added.has(node),
      )
      if (!(translation instanceof HTMLFontElement)) continue
      translations.set(text, translation)
      watchWrites.observe(text, { characterData: true })
    }
  }
}

/** Firefox joins neighbouring texts in the first one, and drops the others. */
const isDropped = (node: Node | null) => node instanceof Text && !node.parentNode

/**
 * Chrome and Edge translate a page by replacing its texts with `<font>` elements. React keeps using the texts: it fails
 * when it removes one or inserts something before it, and what it writes to one stays invisible
 * (https://github.com/facebook/react/issues/11538). So a text is put back before React changes it.
 */
export function tolerateTranslation() {
  const changes = new MutationObserver(findTranslations)
  changes.observe(document.body, { childList: true, subtree: true })
  const { removeChild, insertBefore } = Node.prototype

  const restore = (child: Node | null, parent: Node) => {
    if (!child || child.parentNode === parent) return
    findTranslations(changes.takeRecords())
    putBack(child)
  }
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T) {
    restore(child, this)
    if (!isDropped(child)) removeChild.call(this, child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null) {
    restore(before, this)
    insertBefore.call(this, node, isDropped(before) ? null : before)
    return node
  }
}
