// Control characters, and characters that change the text direction or are invisible.
const hidden = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu
const hiddenButLayout = /[[\p{Cc}--[\n\t]]\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gv

const code = (character: string) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}>`

/** One line of untrusted text, with invisible characters made visible. Source: product.md 9.10; threats.md, row 42. */
export const visibleLine = (text: string) => text.replace(hidden, code)

/** The same for multi-line text. */
export const visibleText = (text: string) => text.replace(/\r\n/g, '\n').replace(hiddenButLayout, code)
