-- An account's model prices in USD, which override all other price lists.
create table model_prices (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- A model's name; `*` matches any characters.
  pattern text not null check (length(pattern) between 1 and 255),
  -- Per million tokens.
  input numeric(11, 6) not null check (input between 0 and 10000),
  -- Null: the price of other input tokens.
  cached_input numeric(11, 6) check (cached_input between 0 and 10000),
  output numeric(11, 6) not null check (output between 0 and 10000),
  -- In addition to the tokens.
  per_request numeric(11, 6) check (per_request between 0 and 10000),
  -- When the price was set: requests before it keep their cost.
  valid_from timestamptz not null default now(),
  constraint model_prices_account_pattern unique (account_id, pattern)
);
