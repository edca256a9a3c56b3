create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null check (length(name) between 1 and 200),
  -- Sealed by the vault; bound to account, record and origin.
  sealed_key bytea not null,
  masked_key text not null,
  -- The origin for which the key was entered; the key is never sent anywhere else.
  origin text not null,
  is_active boolean not null default true,
  is_primary boolean not null default false,
  created_at timestamptz not null default now()
);
create index api_keys_account on api_keys (account_id, created_at);
create unique index api_keys_one_primary on api_keys (account_id) where is_primary;
