import { Link, useRouter } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { product } from '#schemas/product.ts'
import { Button } from '#web/ui/button.tsx'

/** Inside the app shell when signed in, else on its own. */
export function NotFound() {
  const { user } = useRouter().options.context
  const Root = user ? 'div' : 'main'
  return (
    <Root className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center px-4">
      <title>{`Not found · ${product.name}`}</title>
      <CircleAlert aria-hidden="true" className="size-6 text-danger" />
      <h1 className="mt-4 text-xl font-semibold tracking-tight">404 Page Not Found</h1>
      <p className="mt-1 text-muted">Did you forget to add the page to the router?</p>
      <Button asChild className="mt-6">
        <Link to={user ? '/' : '/auth'}>{user ? 'Go to the dashboard' : 'Sign in'}</Link>
      </Button>
    </Root>
  )
}
