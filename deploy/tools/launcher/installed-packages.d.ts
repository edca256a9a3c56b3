export function packagesAreInstalled(folder: string): boolean
