-- Days (UTC) whose request logs have been archived before they expire.
create table archived_days (
  day date primary key,
  rows bigint not null,
  archived_at timestamptz not null default now()
);
