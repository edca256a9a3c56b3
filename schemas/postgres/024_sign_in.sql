-- Mailed links: the secret of a link allows one action for the account, once. Only its SHA-256 is stored.
create table one_time_links (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  account_id uuid not null references accounts on delete cascade,
  purpose text not null,
  -- The email address that the link concerns.
  email text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_links_account on one_time_links (account_id);

-- Null: the address's owner has not confirmed yet that it belongs to this account.
alter table accounts add column email_confirmed_at timestamptz;
-- An address that has already received mail of its account counts as confirmed.
update accounts a set email_confirmed_at = now() where exists (
  select 1 from outgoing_mails m where m.account_id = a.id and m.recipient = a.email and m.sent_at is not null);

alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check check (
  kind in ('security-alert', 'account-activity', 'plan-ending', 'usage-report', 'email-changed', 'account-deleted',
    'confirm-email', 'reset-password'));

-- Mails per day and address. Outlives accounts, so that new ones don't reset the limit.
create table mail_counts (
  address_hash bytea not null check (length(address_hash) = 32),
  kind text not null,
  day date not null,
  mails integer not null,
  primary key (address_hash, kind, day)
);

-- Browsers from which an account has signed in, by the id in their cookie: their attempts are counted separately.
create table device_cookies (
  account_id uuid not null references accounts on delete cascade,
  id_hash bytea not null check (length(id_hash) = 32),
  last_used_at timestamptz not null default now(),
  primary key (account_id, id_hash)
);
