-- Time-based codes of an authenticator app (RFC 6238). Enabled once the owner has entered a correct code.
create table two_factor (
  account_id uuid primary key references accounts on delete cascade,
  -- Sealed by the vault; bound to the account.
  sealed_secret bytea not null,
  enabled_at timestamptz,
  -- The time step of the newest used code; codes of this step or earlier are rejected.
  last_used_step bigint not null default 0
);

-- Each works once, instead of a code. SHA-256 of 80 random bits together with the account.
create table recovery_codes (
  account_id uuid not null references two_factor on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (account_id, code_hash)
);
