/** How many times as large as usual the user's font is, for sizes that can't be given in `rem`. */
export const fontScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
