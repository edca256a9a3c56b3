-- Credentials for scripts that use the control API. The key itself is shown once; only its hash is stored.
create table management_keys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null check (length(name) between 1 and 60),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  masked_key text not null,
  -- For example credentials:write.
  scopes text[] not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create index management_keys_account on management_keys (account_id);
