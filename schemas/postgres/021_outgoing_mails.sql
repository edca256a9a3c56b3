-- The outbox, including sent mails. The occasion deduplicates mails of a kind: the first audit entry in the mail, the
-- end of the paid time, or the Monday of the week.
create table outgoing_mails (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('security-alert', 'account-activity', 'plan-ending', 'usage-report')),
  occasion text not null,
  recipient text not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Also the lease of the worker that is sending it: it expires on its own if the worker dies.
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  unique (account_id, kind, occasion),
  check (sent_at is null or failed_at is null)
);
create index outgoing_mails_due on outgoing_mails (next_attempt_at) where sent_at is null and failed_at is null;
