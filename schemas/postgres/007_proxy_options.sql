-- Options for an account's requests, and restrictions of its tokens.
alter table proxy_configs
  -- How long responses to identical requests are cached; 0: not at all.
  add column cache_seconds integer not null default 0 check (cache_seconds between 0 and 86400),
  -- Ask the provider for token usage in streams when the client did not.
  add column stream_usage boolean not null default true;

alter table secure_tokens
  -- Models that the token may use; NULL: all.
  add column models text[],
  -- Budget per calendar month (UTC); NULL: no limit.
  add column monthly_budget_nano_usd bigint check (monthly_budget_nano_usd >= 0),
  -- Client addresses and CIDRs that may use the token; NULL: all.
  add column allowed_addresses text[];
