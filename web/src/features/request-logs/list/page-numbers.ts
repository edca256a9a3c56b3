/** Up to 5 page numbers around the one that is shown. Source: product.md 10.10. */
export function pageNumbers(page: number, lastPage: number): number[] {
  const count = Math.min(5, lastPage)
  const first = Math.max(1, Math.min(page - 2, lastPage - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}
