import { product } from '#schemas/product.ts'

export type Block = { text: string } | { rows: [label: string, value: string][] } | { link: string; url: string }

/** A link to a path of the site. */
export type CreateLink = (text: string, path: string) => Block

/** A mail before it is rendered. Texts may contain user input, which is escaped here. */
export interface Mail {
  subject: string
  greeting: string
  blocks: Block[]
  /** Why the user receives it. */
  footer: string
}

export function renderMail({ subject, greeting, blocks, footer }: Mail) {
  return {
    subject: inert(subject),
    text: [inert(greeting), ...blocks.map(blockText), `--\n${product.name}: ${inert(footer)}`].join('\n\n'),
    html: page(subject, [paragraph(greeting), ...blocks.map(blockHtml)].join('\n'), footer),
  }
}

function blockText(block: Block): string {
  if ('text' in block) return inert(block.text)
  if ('url' in block) return `${block.link}: ${block.url}`
  return block.rows.map(([label, value]) => `${inert(label)}: ${inert(value)}`).join('\n')
}

function blockHtml(block: Block): string {
  if ('text' in block) return paragraph(block.text)
  if ('url' in block) return `<p><a href="${escape(block.url)}">${escape(block.link)}</a></p>`
  const rows = block.rows.map(
    ([label, value]) => `<tr><td style="${labelStyle}">${escape(label)}</td><td>${escape(value)}</td></tr>`,
  )
  return `<table role="presentation" style="margin:16px 0">${rows.join('')}</table>`
}

const paragraph = (text: string) => `<p>${escape(text)}</p>`

const labelStyle = 'padding:2px 16px 2px 0;color:#52606d'

const page = (subject: string, body: string, footer: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="font:15px/1.5 system-ui,sans-serif;color:#1f2933;max-width:560px;margin:0 auto;padding:24px">
${body}
<p style="color:#7b8794;font-size:13px;border-top:1px solid #e4e7eb;padding-top:12px">${escape(`${product.name}: ${footer}`)}</p>
</body></html>`

/** Removes control, bidirectional and other invisible characters, which could disguise a text; keeps joiners. */
const inert = (text: string) =>
  text
    .replaceAll(/[[\p{C}\p{Z}]--[\u200c\u200d]]+/gv, ' ')
    .trim()
    .slice(0, 500)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => inert(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
