/** The account that runs the installation of the browser tests and the screenshots. */
export const operatorName = 'operator'
