-- Tags are what a request says about itself. A token's fixed ones are in each of its requests: key and value, all text.
alter table secure_tokens add column tags jsonb;

alter table proxy_configs add column log_tags boolean not null default true;
