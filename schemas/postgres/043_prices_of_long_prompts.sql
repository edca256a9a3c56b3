-- Prices that other providers than OpenAI list. Null: as before.
alter table model_prices
  -- Per million tokens.
  add column cache_write numeric(11, 6) check (cache_write between 0 and 10000),
  add column audio_input numeric(11, 6) check (audio_input between 0 and 10000),
  -- The longest prompt with the usual prices, in tokens, and the prices of longer ones.
  add column long_above_tokens integer check (long_above_tokens between 1 and 100000000),
  add column long_input numeric(11, 6) check (long_input between 0 and 10000),
  add column long_output numeric(11, 6) check (long_output between 0 and 10000),
  add constraint model_prices_long_prompts check (num_nulls(long_above_tokens, long_input, long_output) in (0, 3));
