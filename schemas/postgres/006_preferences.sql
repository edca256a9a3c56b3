create table preferences (
  account_id uuid primary key references accounts on delete cascade,
  email_notifications boolean not null default true,
  security_alerts boolean not null default true,
  usage_reports boolean not null default false,
  theme text not null default 'system' check (theme in ('light', 'dark', 'system')),
  timezone text not null default 'UTC',
  language text not null default 'en'
);
