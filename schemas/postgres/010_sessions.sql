-- The id under which the owner sees and ends a session; the cookie's secret is never shown.
alter table sessions
  add column id uuid not null default gen_random_uuid() unique,
  add column device text not null default 'Unknown device';

-- Devices from which an account has signed in: browser and system, and the network of the address.
create table known_devices (
  account_id uuid not null references accounts on delete cascade,
  device text not null,
  network text not null,
  first_seen_at timestamptz not null default now(),
  primary key (account_id, device, network)
);
