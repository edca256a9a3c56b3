import packageJson from '../../package.json' with { type: 'json' }

/** Version of the product. Source: package.json. */
export const { version } = packageJson
