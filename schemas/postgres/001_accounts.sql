-- Names and addresses are unique in their folded form (NFKC, lower case), so look-alike spellings are one account.
create table accounts (
  id uuid primary key,
  username text not null check (length(username) between 3 and 64),
  username_key text not null unique,
  email text not null check (length(email) <= 254),
  email_key text not null unique,
  password_hash text not null,
  first_name text,
  last_name text,
  profile_image_url text,
  plan text not null default 'free' check (plan in ('free', 'basic', 'pro', 'enterprise')),
  created_at timestamptz not null default now()
);

-- The cookie only identifies a row. Deleting the row ends the session everywhere.
create table sessions (
  id_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  client_address text,
  user_agent text
);
create index sessions_account on sessions (account_id);
