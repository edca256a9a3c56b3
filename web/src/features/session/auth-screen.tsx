import { product } from '#schemas/product.ts'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'
import { SessionLayout } from './session-layout.tsx'

export const AuthScreen = () => (
  <SessionLayout
    title="Sign in"
    heading={`Welcome to ${product.name}`}
    description="Sign in to your account, or create one."
  >
    <Tabs defaultValue="login">
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
  </SessionLayout>
)
