create table proxy_configs (
  account_id uuid primary key references accounts on delete cascade,
  base_url text not null,
  timeout_ms integer not null default 30000 check (timeout_ms between 1000 and 300000),
  retry_attempts integer not null default 3 check (retry_attempts between 0 and 10),
  rate_limit_enabled boolean not null default true,
  max_requests_per_minute integer not null default 60 check (max_requests_per_minute between 1 and 1000),
  log_bodies boolean not null default false,
  log_client_address boolean not null default true,
  updated_at timestamptz not null default now()
);
