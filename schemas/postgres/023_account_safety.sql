-- Sees the pipeline of the whole installation. Set from the server itself, never by what an account is called.
alter table accounts add column is_operator boolean not null default false;

-- When its owner last showed the password, and the code where two-factor is on; a sign-in counts.
alter table sessions add column confirmed_at timestamptz;
update sessions set confirmed_at = created_at;
alter table sessions alter column confirmed_at set not null, alter column confirmed_at set default now();

-- Email changes that the owner of the address before can undo by a link; only the SHA-256 of its secret is kept. Until
-- then nobody else may take that address, which is folded like in accounts.
create table email_changes (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  old_email text not null,
  old_email_key text not null,
  expires_at timestamptz not null
);
create index email_changes_account on email_changes (account_id);
create index email_changes_old_email on email_changes (old_email_key);

-- Without an account: the mail tells of its deletion.
alter table outgoing_mails
  alter column account_id drop not null,
  drop constraint outgoing_mails_kind_check,
  add constraint outgoing_mails_kind_check check (
    kind in ('security-alert', 'account-activity', 'plan-ending', 'usage-report', 'email-changed', 'account-deleted')
  );
