-- The header in which a provider expects its key.
alter table proxy_configs
  add column credential_header text not null default 'authorization'
    check (credential_header in ('authorization', 'api-key', 'x-api-key'));
