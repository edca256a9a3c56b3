alter table secure_tokens
  -- Until when bodies of its requests are logged, whatever the account's configuration; NULL or past: as configured.
  add column log_bodies_until timestamptz;
