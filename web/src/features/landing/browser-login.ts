/** The server responds with a redirect to the sign-in. Source: product.md 8.5. */
export const goToLogin = () => window.location.assign('/api/login')
