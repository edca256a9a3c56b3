-- Sees the pipeline of the whole installation. Set from the server itself, never by what an account is called.
alter table accounts add column is_operator boolean not null default false;
