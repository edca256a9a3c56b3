-- Who did what, when and from where; written in the same transaction as the change itself.
-- It is also the outbox of security mails: the worker looks at entries that nobody was told of yet.
create table audit_entries (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  action text not null,
  -- What it was done to, by the name that its owner gave it.
  subject text,
  client_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  -- When the mail went out, or it was decided that none is due.
  notified_at timestamptz
);
create index audit_entries_account on audit_entries (account_id, created_at desc, id desc);
create index audit_entries_unnotified on audit_entries (created_at) where notified_at is null;
