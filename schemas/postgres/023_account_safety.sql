-- Sees the pipeline of the whole installation. Set from the server itself, never by what an account is called.
alter table accounts add column is_operator boolean not null default false;

-- When its owner last showed the password, and the code where two-factor is on; a sign-in counts.
alter table sessions add column confirmed_at timestamptz;
update sessions set confirmed_at = created_at;
alter table sessions alter column confirmed_at set not null, alter column confirmed_at set default now();
