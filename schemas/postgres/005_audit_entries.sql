-- The audit trail, written in the same transaction as the change itself. It is also the outbox of security mails: the
-- worker processes entries without a notification.
create table audit_entries (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  action text not null,
  -- The affected object, by the name that its owner gave it.
  subject text,
  client_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  -- When the mail was sent, or none was found necessary.
  notified_at timestamptz
);
create index audit_entries_account on audit_entries (account_id, created_at desc, id desc);
create index audit_entries_unnotified on audit_entries (created_at) where notified_at is null;
