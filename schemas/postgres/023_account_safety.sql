-- May see the pipeline of the whole installation. Set only on the server itself, never because of an account's name.
alter table accounts add column is_operator boolean not null default false;

-- When the owner last confirmed with the password (and the code, if two-factor is enabled); signing in counts.
alter table sessions add column confirmed_at timestamptz;
update sessions set confirmed_at = created_at;
alter table sessions alter column confirmed_at set not null, alter column confirmed_at set default now();

-- Email changes that the old address's owner can undo by a link; only the SHA-256 of its secret is stored. Until it
-- expires, nobody else may take that address, which is folded as in accounts.
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

-- Null for a mail about the account's deletion.
alter table outgoing_mails
  alter column account_id drop not null,
  drop constraint outgoing_mails_kind_check,
  add constraint outgoing_mails_kind_check check (
    kind in ('security-alert', 'account-activity', 'plan-ending', 'usage-report', 'email-changed', 'account-deleted')
  );
