create table secure_tokens (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null check (length(name) between 1 and 200),
  -- SHA-256 of the whole token, by which the proxy looks it up.
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- Sealed by the vault, because the owner may reveal it.
  sealed_token bytea not null,
  masked_token text not null,
  is_active boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index secure_tokens_account on secure_tokens (account_id, created_at);
