/** For text that is no number, such as `0,5`. */
export const numberMessage = (label: string) => `${label} must be a number such as 0.5, with a decimal point`
