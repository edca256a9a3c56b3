alter table secure_tokens
  -- Limits of a token; NULL: no limit.
  add column requests_per_minute integer check (requests_per_minute between 1 and 999999999),
  add column tokens_per_minute integer check (tokens_per_minute between 1 and 999999999),
  add column max_concurrent_requests integer check (max_concurrent_requests between 1 and 999999999),
  -- Budget per day (UTC).
  add column daily_budget_nano_usd bigint check (daily_budget_nano_usd >= 0),
  -- The secret before the last rotation; valid until it expires.
  add column previous_token_hash bytea unique check (length(previous_token_hash) = 32),
  add column previous_masked_token text,
  add column previous_expires_at timestamptz,
  add column previous_used_at timestamptz,
  add check (
    (previous_token_hash is null) = (previous_expires_at is null)
    and (previous_token_hash is null) = (previous_masked_token is null)
  );

-- Used to warn about nearly spent budgets.
create index secure_tokens_budgets on secure_tokens (account_id, id)
  where daily_budget_nano_usd > 0 or monthly_budget_nano_usd > 0;

alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check check (
  kind in ('security-alert', 'account-activity', 'plan-ending', 'usage-report', 'email-changed', 'account-deleted',
    'confirm-email', 'reset-password', 'token-budget'));
