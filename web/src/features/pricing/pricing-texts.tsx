import { Gauge, Headset, InfinityIcon, Ticket } from 'lucide-react'
import { type PlanTable, requestsInWords, tokensInWords } from '#schemas/plans.ts'

const reasonsOf = ({ free, pro }: PlanTable) => [
  {
    icon: InfinityIcon,
    title: 'Room for your requests',
    text: `Free: ${requestsInWords(free.limits)}. Pro: ${requestsInWords(pro.limits)}.`,
  },
  {
    icon: Ticket,
    title: 'A token for every application',
    text: `${tokensInWords(pro.limits)}, each switched off by itself.`,
  },
  { icon: Gauge, title: '99.9% uptime SLA', text: 'Backup keys and retries keep your requests going.' },
  { icon: Headset, title: '30 days to decide', text: 'A money-back guarantee on every paid plan.' },
]

export const WhyPro = ({ table }: { table: PlanTable }) => (
  <section aria-labelledby="why-pro" className="mt-4">
    <h2 id="why-pro" className="text-base font-semibold">
      Why upgrade to Pro?
    </h2>
    <ul className="mt-4 grid gap-x-6 gap-y-5 sm:grid-cols-2 lg:grid-cols-4">
      {reasonsOf(table).map(({ icon: Icon, title, text }) => (
        <li key={title}>
          <Icon aria-hidden="true" className="size-5 text-accent" />
          <h3 className="mt-2 font-medium">{title}</h3>
          <p className="text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </section>
)

/** Texts: product.md 10.12. */
const questions = [
  {
    question: 'Can I change my plan later?',
    answer: 'Yes. Plan changes take effect immediately.',
  },
  {
    question: 'What happens when I reach the free daily limit?',
    answer: 'Requests beyond the free daily limit are blocked until the next day or until you upgrade.',
  },
  {
    question: 'Is there a guarantee?',
    answer: 'Paid plans carry a 30-day money-back guarantee.',
  },
]

export const Faq = () => (
  <section aria-labelledby="faq" className="mt-2">
    <h2 id="faq" className="text-base font-semibold">
      Frequently Asked Questions
    </h2>
    <dl className="mt-3 divide-y divide-line rounded-panel border border-line bg-surface">
      {questions.map(({ question, answer }) => (
        <div key={question} className="px-5 py-4">
          <dt className="font-medium">{question}</dt>
          <dd className="mt-1 text-muted">{answer}</dd>
        </div>
      ))}
    </dl>
  </section>
)
