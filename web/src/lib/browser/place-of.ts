export const main = () => document.getElementById('main')

/** @returns a function that finds the control, or else one in its row, the row beside it or its table */
export function placeOf(control: Element | null): () => HTMLElement | null {
  if (!(control instanceof HTMLElement) || control === document.body) return main
  const row = control.closest('li')
  const places = [row, row?.nextElementSibling, row?.previousElementSibling, control.closest('table')]
  return () => {
    if (control.isConnected) return control
    const place = places.find((each) => each?.isConnected)
    return place?.querySelector<HTMLElement>('tr[tabindex="0"], li button:enabled') ?? main()
  }
}
