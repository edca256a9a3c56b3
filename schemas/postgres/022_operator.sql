-- A disabled account keeps its data, but nobody signs in to it and its tokens do not work.
alter table accounts add column disabled_at timestamptz;

-- One registration each; only the SHA-256 of a code is kept.
create table invites (
  code_hash bytea primary key check (length(code_hash) = 32),
  -- Folded like in accounts; null: whoever has the code.
  email_key text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Deferred, because the code is taken before the account is there.
  used_by uuid references accounts on delete set null deferrable initially deferred
);
