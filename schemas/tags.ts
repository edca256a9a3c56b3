import { z } from 'zod'
import { requiredText } from './plain-text.ts'

export const maxTags = 16
export const maxTagValue = 256

/** Letters, digits, `_`, `.` and `-`. Keys beginning with `sallyport.` are reserved for the gateway. */
export const tagKey = /^(?!sallyport\.)[\w.-]{1,64}$/

/** Tag of requests authenticated by a token's previous secret: key and value. */
export const previousSecretTag = 'sallyport.secret'
export const previousSecret = 'previous'

const tagsMessage = `At most ${maxTags} tags such as customer=acme: keys of letters, digits, _ . and -, values of up to ${maxTagValue} characters`

/** Fixed tags of a token's requests; `null`: none. Source: product.md 7.11. */
export const Tags = z
  .record(z.string().regex(tagKey), requiredText('The value of a tag', maxTagValue, tagsMessage), tagsMessage)
  .refine((tags) => Object.keys(tags).length <= maxTags, tagsMessage)
  .nullable()
  .transform((tags) => (tags && Object.keys(tags).length > 0 ? tags : null))
