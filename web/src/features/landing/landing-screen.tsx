import { useNavigate } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { product, provider } from '#schemas/product.ts'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { FeatureCards } from './feature-cards.tsx'
import { SdkChange } from './sdk-change.tsx'

const year = new Date().getFullYear()
/** The server redirects to the sign-in. Source: product.md 8.5. */
const goToLogin = () => window.location.assign('/api/login')
const scrollToFeatures = () => document.getElementById('features')?.scrollIntoView({ behavior: 'smooth' })

export function LandingScreen() {
  const navigate = useNavigate()
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 sm:px-8">
      <title>{`${product.name} · ${product.tagline}`}</title>
      <header className="flex items-center justify-between gap-4 py-5">
        <div className="flex items-center gap-2.5">
          <Logo className="size-7" />
          <div className="leading-tight">
            <p className="font-semibold">{product.name}</p>
            <p className="text-xs text-muted">{product.tagline}</p>
          </div>
        </div>
        <Button onClick={() => void navigate({ to: '/auth' })}>Sign In</Button>
      </header>
      <main className="flex flex-1 flex-col gap-16 py-12 lg:gap-24 lg:py-20">
        <section className="grid items-center gap-10 lg:grid-cols-2 lg:gap-16">
          <div>
            <h1 className="text-4xl leading-tight font-semibold tracking-tight text-balance lg:text-5xl lg:leading-[1.1]">
              Secure {provider.name} API Proxy
            </h1>
            <p className="mt-4 max-w-md text-base text-muted">
              Your provider keys stay behind the gate. Applications get tokens that you can watch, limit and switch off.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <Button variant="primary" onClick={goToLogin}>
                Get Started
                <ArrowRight />
              </Button>
              <Button onClick={scrollToFeatures}>Learn More</Button>
            </div>
          </div>
          <SdkChange />
        </section>
        <FeatureCards />
        <section className="flex flex-col items-start justify-between gap-6 rounded-panel border border-line bg-surface p-6 sm:flex-row sm:items-center sm:p-8">
          <div>
            <h2 className="text-xl font-semibold tracking-tight">Ready to get started?</h2>
            <p className="text-muted">Add a provider key, create a token, point your SDK here.</p>
          </div>
          <Button variant="primary" onClick={goToLogin}>
            Sign In Now
          </Button>
        </section>
      </main>
      <footer className="border-t border-line py-6 text-xs text-muted">
        © {year} {product.name}. All rights reserved.
      </footer>
    </div>
  )
}
