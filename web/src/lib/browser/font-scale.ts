const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)

/** How many times as large as usual the user's font is, for sizes that can't be given in `rem`. */
export const fontScale = () => sizeOf(document.documentElement) / 16

/** How many times as large as usual texts are: more than the font, in a browser that shows none below a size. */
export const textScale = () => sizeOf(document.body) / 14
