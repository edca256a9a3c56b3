-- Fixed tags of a token, added to each of its requests: keys and values, all text.
alter table secure_tokens add column tags jsonb;

alter table proxy_configs add column log_tags boolean not null default true;
