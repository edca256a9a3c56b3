const practices = [
  'Give every application a token of its own, so that you can switch off one without touching the others.',
  'Keep tokens in environment variables or a secret store, never in code that reaches a browser or a repository.',
  'Give tokens an expiry date where an application has an end.',
  'Retry 429 and 5xx with growing pauses, and honour Retry-After.',
  'Stream long answers, so that the timeout only has to cover the first byte.',
  'Keep a backup key: the proxy moves on to it when the primary one fails.',
]

export const BestPractices = () => (
  <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-muted">
    {practices.map((practice) => (
      <li key={practice}>{practice}</li>
    ))}
  </ul>
)
