alter table secure_tokens
  -- Until when bodies of its requests are logged, overriding the account's setting; NULL or past: as configured.
  add column log_bodies_until timestamptz;
