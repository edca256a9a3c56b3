import { visibleLine } from '#web/lib/text/visible-text.ts'

/** A name that a user chose: in its own direction, with nothing hidden in it, whole in the tooltip. */
export const Name = ({ text }: { text: string }) => <bdi title={visibleLine(text)}>{visibleLine(text)}</bdi>
