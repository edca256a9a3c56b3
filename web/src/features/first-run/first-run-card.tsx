import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { product, provider } from '#schemas/product.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import type { Setup } from './use-setup.ts'

type FirstRunCardProps = { setup: Setup; onSendFirst: () => void; onDismiss: () => void }

/** Leads an empty account to its first request; each step completes by itself. */
export function FirstRunCard({ setup, onSendFirst, onDismiss }: FirstRunCardProps) {
  const steps = [
    {
      done: setup.hasKey,
      title: 'Add a provider key',
      text: `The key of your ${provider.name} account. It is stored encrypted and never leaves the gateway otherwise.`,
      action: (
        <Link to="/api-keys" search={{ dialog: 'add' }}>
          Add API Key
        </Link>
      ),
    },
    {
      done: setup.hasToken,
      title: 'Create a secure token',
      text: 'What your applications send in place of the key.',
      action: (
        <Link to="/secure-tokens" search={{ dialog: 'create' }}>
          Create Token
        </Link>
      ),
    },
    {
      done: setup.hasRequest,
      title: 'Send your first request',
      text: 'From the tester below, or from your own code with the base URL and the token.',
      action: (
        <button type="button" onClick={onSendFirst}>
          Send a Request
        </button>
      ),
    },
  ]
  const count = steps.filter(({ done }) => done).length
  const next = steps.findIndex(({ done }) => !done)
  const finished = next === -1
  return (
    <Card
      title={finished ? 'You are set up' : `Set up ${product.name}`}
      description={finished ? 'Requests go through. From here on this screen shows them.' : `${count} of 3 steps done`}
      action={
        finished && (
          <Button
            size="sm"
            onClick={() => {
              document.getElementById('main')?.focus()
              onDismiss()
            }}
          >
            Close
          </Button>
        )
      }
    >
      <ol className="divide-y divide-line">
        {steps.map((step, index) => (
          <Step key={step.title} number={index + 1} current={index === next} {...step} />
        ))}
      </ol>
    </Card>
  )
}

type StepProps = { number: number; done: boolean; current: boolean; title: string; text: string; action: ReactNode }

const Step = ({ number, done, current, title, text, action }: StepProps) => (
  <li aria-current={current ? 'step' : undefined} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
    <span
      aria-hidden="true"
      className={classNames(
        'grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold tabular-nums',
        done && 'bg-ok-soft text-ok',
        !done && current && 'bg-accent-fill text-on-accent',
        !done && !current && 'border border-line text-muted',
      )}
    >
      {done ? <Check className="size-4" /> : number}
    </span>
    <div className="min-w-0 flex-1 basis-56">
      <h3 className="font-medium">
        {title}
        {done && <span className="sr-only"> (done)</span>}
      </h3>
      <p className="text-muted">{text}</p>
    </div>
    {!done && (
      <Button size="sm" variant={current ? 'primary' : 'secondary'} asChild className="max-sm:w-full">
        {action}
      </Button>
    )}
  </li>
)
