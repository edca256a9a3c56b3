-- Deleted accounts whose logs a worker has not removed from ClickHouse yet.
create table account_deletions (
  account_id uuid primary key,
  deleted_at timestamptz not null default now()
);
