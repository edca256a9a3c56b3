import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { pageNumbers, Pagination } from './pagination.tsx'

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 99, [1, 2, 3, 4, 5]],
  [50, 99, [48, 49, 50, 51, 52]],
  [99, 99, [95, 96, 97, 98, 99]],
])('page %i of %i', (page, last, numbers) => expect(pageNumbers(page, last)).toEqual(numbers))

it.each([
  [false, 'Showing 21-40 of 10,000<'],
  [true, 'Showing 21-40 of 10,000+<'],
])('says whether there may be more: %s', (isAtLeast, text) =>
  expect(
    renderToStaticMarkup(<Pagination page={2} total={10_000} isAtLeast={isAtLeast} onPage={() => {}} />),
  ).toContain(text),
)
