/** Where a pressed key is typed, or chooses something, so that it is no shortcut. */
export const typedInto = 'input:not([type=checkbox], [type=range]), textarea, select, [role=menu]'
