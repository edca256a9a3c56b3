-- Days (UTC) whose request logs were written to the archive before they expire.
create table archived_days (
  day date primary key,
  rows bigint not null,
  archived_at timestamptz not null default now()
);
