-- The name by which the owner sees and ends a session; the secret of the cookie is never shown.
alter table sessions
  add column id uuid not null default gen_random_uuid() unique,
  add column device text not null default 'Unknown device';

-- Where an account has signed in from: browser and system, and the network around the address.
create table known_devices (
  account_id uuid not null references accounts on delete cascade,
  device text not null,
  network text not null,
  first_seen_at timestamptz not null default now(),
  primary key (account_id, device, network)
);
