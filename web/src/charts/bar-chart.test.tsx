import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BarChart } from './bar-chart.tsx'

const bars = (values: (number | null)[]) =>
  renderToStaticMarkup(
    <BarChart bars={values.map((value, at) => ({ key: String(at), label: `m${at}`, value, text: String(value) }))} />,
  ).match(/width:[\d.]+%/g)

test('what is not known has no bar, not even an empty one', () => {
  expect(bars([2, 1, 0, null])).toEqual(['width:100%', 'width:50%', 'width:0%'])
  expect(bars([null])).toBeNull()
})
