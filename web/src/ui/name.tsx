import { visibleLine } from '#web/lib/text/visible-text.ts'

/** A user-chosen name: in its own direction, truncated, invisible characters shown, whole in the tooltip. */
export const Name = ({ text }: { text: string }) => (
  <bdi
    translate="no"
    title={visibleLine(text)}
    className="inline-block max-w-full overflow-hidden align-bottom text-ellipsis"
  >
    {visibleLine(text)}
  </bdi>
)
