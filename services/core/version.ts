import packageJson from '../../package.json' with { type: 'json' }

/** Of the product. Source: package.json. */
export const { version } = packageJson
