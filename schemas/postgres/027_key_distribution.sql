-- Which of an account's active keys is tried first.
alter table proxy_configs
  add column distribution text not null default 'primary-first' check (distribution in ('primary-first', 'spread'));
