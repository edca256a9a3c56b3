/** An option of a list that is moved through with the arrow keys. */
export const optionStyle =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2 data-[selected=true]:bg-subtle md:min-h-9 dark:data-[selected=true]:bg-zinc-700'
