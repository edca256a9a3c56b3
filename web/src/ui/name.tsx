import { visibleLine } from '#web/lib/text/visible-text.ts'

/** A name that a user chose: in its own direction and cut at its end, with nothing hidden in it, whole in the tooltip. */
export const Name = ({ text }: { text: string }) => (
  <bdi title={visibleLine(text)} className="inline-block max-w-full overflow-hidden align-bottom text-ellipsis">
    {visibleLine(text)}
  </bdi>
)
