-- A disabled account keeps its data, but allows no sign-in, and its tokens do not work.
alter table accounts add column disabled_at timestamptz;

-- Each code allows one registration; only its SHA-256 is stored.
create table invites (
  code_hash bytea primary key check (length(code_hash) = 32),
  -- Folded as in accounts; null: anyone with the code.
  email_key text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Deferred, because the code is claimed before the account exists.
  used_by uuid references accounts on delete set null deferrable initially deferred
);
