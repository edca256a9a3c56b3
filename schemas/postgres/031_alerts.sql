create table webhooks (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  url text not null,
  -- Signs the messages; sealed with the master key.
  sealed_secret bytea not null,
  created_at timestamptz not null default now()
);
create index webhooks_account on webhooks (account_id);

create table alerts (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  -- The parsed condition: measure, filters and group.
  condition jsonb not null,
  enabled boolean not null,
  mail boolean not null,
  silenced_until timestamptz,
  created_at timestamptz not null default now(),
  -- A result is stored only if the alert was not changed and no other worker was faster.
  revision integer not null default 0,
  judged_until timestamptz,
  -- One element per group: its state, since when, and what receivers were told.
  groups jsonb not null default '[]'
);
create index alerts_account on alerts (account_id);

create table alert_webhooks (
  alert_id uuid not null references alerts on delete cascade,
  webhook_id uuid not null references webhooks on delete cascade,
  primary key (alert_id, webhook_id)
);
create index alert_webhooks_webhook on alert_webhooks (webhook_id);

create table alert_changes (
  id uuid primary key default gen_random_uuid(),
  alert_id uuid not null references alerts on delete cascade,
  group_value text not null,
  from_state text not null check (from_state in ('ok', 'firing', 'no-data')),
  to_state text not null check (to_state in ('ok', 'firing', 'no-data')),
  value float8,
  changed_at timestamptz not null
);
create index alert_changes_alert on alert_changes (alert_id, id);

-- Outgoing and delivered webhook messages. Receivers deduplicate by the id.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  webhook_id uuid not null references webhooks on delete cascade,
  type text not null,
  -- Text, so that every attempt sends the same bytes.
  body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Also the lease of the worker that is delivering it.
  next_attempt_at timestamptz not null default now(),
  delivered_at timestamptz,
  failed_at timestamptz,
  last_status integer,
  last_error text,
  check (delivered_at is null or failed_at is null)
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at)
  where delivered_at is null and failed_at is null;
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_account on webhook_deliveries (account_id);

alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check check (
  kind in ('security-alert', 'account-activity', 'plan-ending', 'usage-report', 'email-changed', 'account-deleted',
    'confirm-email', 'reset-password', 'token-budget', 'alert'));
