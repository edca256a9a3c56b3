/** Texts: product.md 10.12. */
const entries = [
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
      {entries.map(({ question, answer }) => (
        <div key={question} className="px-5 py-4">
          <dt className="font-medium">{question}</dt>
          <dd className="mt-1 text-muted">{answer}</dd>
        </div>
      ))}
    </dl>
  </section>
)
