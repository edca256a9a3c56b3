-- Time-based codes of an authenticator app (RFC 6238). Not enabled yet: the owner has still to show a right code.
create table two_factor (
  account_id uuid primary key references accounts on delete cascade,
  -- Sealed by the vault; bound to the account.
  sealed_secret bytea not null,
  enabled_at timestamptz,
  -- The newest time step of which a code was used; no code of it or before it works again.
  last_used_step bigint not null default 0
);

-- Each works once, in place of a code. SHA-256 of 80 random bits together with the account.
create table recovery_codes (
  account_id uuid not null references two_factor on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (account_id, code_hash)
);
