-- Saved states of a screen, such as filters of the request logs.
create table views (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  screen text not null check (screen in ('request-logs', 'analytics')),
  name text not null check (length(name) between 1 and 60),
  -- URL parameters of the screen. Not jsonb, which can't store every text.
  search json not null check (octet_length(search::text) <= 32768),
  constraint views_account_name unique (account_id, screen, name)
);
