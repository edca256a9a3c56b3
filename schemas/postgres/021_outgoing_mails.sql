-- Mails that are to be sent or were sent. The occasion makes a mail one of its kind, so that it is written once
-- whatever happens: the first audit entry that it tells of, the end of the paid time, the Monday of the week.
create table outgoing_mails (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('security-alert', 'account-activity', 'plan-ending', 'usage-report')),
  occasion text not null,
  recipient text not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Also the lease of the worker that is sending it: a worker that dies gives it back by doing nothing.
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  unique (account_id, kind, occasion),
  check (sent_at is null or failed_at is null)
);
create index outgoing_mails_due on outgoing_mails (next_attempt_at) where sent_at is null and failed_at is null;
