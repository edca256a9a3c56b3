/** The parts of JSON Schema that the API's document uses. */
export interface JsonSchema {
  type?: string | string[]
  example?: unknown
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  required?: string[]
  minItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
