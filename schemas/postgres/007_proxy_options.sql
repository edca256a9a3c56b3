-- What an account may switch on for its requests, and what its owner may bind a token to.
alter table proxy_configs
  -- Answers to identical requests are kept for this long; 0: not at all.
  add column cache_seconds integer not null default 0 check (cache_seconds between 0 and 86400),
  -- Ask the provider for token usage in streams when the client did not.
  add column stream_usage boolean not null default true;

alter table secure_tokens
  -- Models that the token may ask for; NULL: all.
  add column models text[],
  -- What the token may cost in a calendar month (UTC); NULL: no limit.
  add column monthly_budget_nano_usd bigint check (monthly_budget_nano_usd >= 0),
  -- Addresses and CIDRs from which the token works; NULL: everywhere.
  add column allowed_addresses text[];
