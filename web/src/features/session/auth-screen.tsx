import { product } from '#schemas/product.ts'
import { Logo } from '#web/ui/logo.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { AuthSidePanel } from './auth-side-panel.tsx'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'

export const AuthScreen = () => (
  <div className="grid min-h-dvh lg:grid-cols-[3fr_2fr]">
    <title>{`Sign in · ${product.name}`}</title>
    <main className="mx-auto w-full max-w-md px-4 py-10 sm:px-8 lg:py-24">
      <Logo className="mb-4 size-9" />
      <h1 className="text-xl font-semibold tracking-tight">Welcome to {product.name}</h1>
      <p className="text-muted">Sign in to your account, or create one.</p>
      <Tabs defaultValue="login" className="mt-8">
        <TabList aria-label="Sign in or register">
          <Tab value="login" className="flex-1">
            Login
          </Tab>
          <Tab value="register" className="flex-1">
            Register
          </Tab>
        </TabList>
        <TabPanel value="login" className="pt-6">
          <LoginForm />
        </TabPanel>
        <TabPanel value="register" className="pt-6">
          <RegisterForm />
        </TabPanel>
      </Tabs>
    </main>
    <AuthSidePanel />
  </div>
)
