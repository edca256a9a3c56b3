-- Re-encoded to 256 by 256 pixels. The hash is part of the URL, so that a new picture has a new one.
create table profile_photos (
  account_id uuid primary key references accounts on delete cascade,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  image bytea not null check (length(image) <= 1048576)
);
