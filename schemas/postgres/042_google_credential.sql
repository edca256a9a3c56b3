-- Google's API expects its key in a header of its own.
alter table proxy_configs
  drop constraint proxy_configs_credential_header_check,
  add constraint proxy_configs_credential_header_check
    check (credential_header in ('authorization', 'api-key', 'x-api-key', 'x-goog-api-key'));
