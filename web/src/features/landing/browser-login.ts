/** The server responds with a redirect to the sign-in. Source: specification §7. */
export const goToLogin = () => window.location.assign('/api/login')
