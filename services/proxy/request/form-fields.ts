import { longestModel } from '#schemas/secure-tokens.ts'
import { GatewayError } from './gateway-error.ts'

const formType = /^multipart\/form-data;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i
const disposition =
  /^content-disposition:[ ]?form-data; ?name=(?:"([^"\\%]*)"|([\w.[\]-]+))(?:; ?filename=(?:"[^"\\]*"|[\w.-]+))?(?:; ?filename\*=[\w'%.-]+)?$/i
/** Clients for Ruby and Java name an encoding that changes nothing. */
const harmlessHeader = /^content-(?:(?:type|length):[\x20-\x7e]*|transfer-encoding: ?(?:7bit|8bit|binary))$/i
const namedLikeModel = /^\s*model\s*(?:\[|$)/i
const maxParts = 256
const maxHeadBytes = 1_024

interface FormField {
  name: string
  value: Buffer
}

/**
 * Reads the `model` of a multipart form.
 * @returns null when the form names no model or is ambiguous
 * @throws GatewayError when its parts name different models
 */
export function readFormModel(body: Buffer, contentType: string): string | null {
  let model: string | null = null
  for (const { name, value } of readForm(body, contentType) ?? []) {
    if (!namedLikeModel.test(name)) continue
    if (name !== 'model' || value.length > longestModel) return null
    const named = value.toString()
    if (model !== null && model !== named) throw new GatewayError('ambiguous_model')
    model = named
  }
  return model
}

/** @returns each `n` of a multipart form, such as a number of images; none if the form is ambiguous */
export const readFormChoices = (body: Buffer, contentType: string): string[] =>
  (readForm(body, contentType) ?? []).filter(({ name }) => name === 'n').map(({ value }) => value.toString())

/** @returns undefined for a form that servers could read in different ways */
function readForm(body: Buffer, contentType: string): FormField[] | undefined {
  const boundary = formType.exec(contentType)?.[2]
  const parts = boundary === undefined ? undefined : splitForm(body, Buffer.from(`--${boundary}`))
  const fields: FormField[] = []
  for (const part of parts ?? []) {
    const headEnd = part.subarray(0, maxHeadBytes).indexOf('\r\n\r\n')
    const name = headEnd === -1 ? undefined : nameOf(part.toString('utf8', 0, headEnd))
    if (name === undefined) return undefined
    fields.push({ name, value: part.subarray(headEnd + 4) })
  }
  return fields
}

/** @returns undefined unless every delimiter is on a separate line and the last one ends the body */
function splitForm(body: Buffer, delimiter: Buffer): Buffer[] | undefined {
  if (body.indexOf(delimiter) !== 0) return undefined
  const parts: Buffer[] = []
  let from = delimiter.length
  while (parts.length < maxParts) {
    if (body.toString('latin1', from, from + 2) !== '\r\n') return undefined
    const at = body.indexOf(delimiter, from)
    if (at < from + 4 || body.toString('latin1', at - 2, at) !== '\r\n') return undefined
    parts.push(body.subarray(from + 2, at - 2))
    from = at + delimiter.length
    if (/^--(?:\r\n)?$/.test(body.toString('latin1', from, from + 5))) return parts
  }
  return undefined
}

/** @returns undefined when the part's name could be read in two ways */
function nameOf(head: string): string | undefined {
  let name: string | undefined
  for (const line of head.split('\r\n')) {
    const found = disposition.exec(line)
    if (found && name === undefined) name = found[1] ?? found[2]
    else if (found || !harmlessHeader.test(line)) return undefined
  }
  return name
}
