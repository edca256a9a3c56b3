-- Which of an account's active keys a request is sent with first.
alter table proxy_configs
  add column distribution text not null default 'primary-first' check (distribution in ('primary-first', 'spread'));
