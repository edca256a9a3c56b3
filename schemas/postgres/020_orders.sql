alter table accounts
  -- End of the paid period; null: the plan has no end (free, or granted by the operator).
  add column plan_until timestamptz,
  -- The last payment method, as shown to the owner.
  add column payment_method text,
  add check (plan <> 'free' or plan_until is null);
create index accounts_plan_until on accounts (plan_until) where plan_until is not null;

-- One purchase. Price and payee are fixed when the order is created; a payment that differs is refused.
create table orders (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  paypal_order_id text not null unique check (length(paypal_order_id) between 1 and 64),
  paypal_capture_id text unique,
  plan text not null check (plan in ('basic', 'pro', 'enterprise')),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null check (currency = 'USD'),
  payee_id text not null,
  state text not null default 'created' check (state in ('created', 'pending', 'captured', 'refused', 'refunded')),
  -- The period that it added to the account's paid time; a refund removes it again.
  paid_from timestamptz,
  paid_until timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  check (state <> 'captured' or (paypal_capture_id is not null and paid_from < paid_until))
);
create index orders_account on orders (account_id, created_at desc);

-- Processed webhooks: a repeated delivery has no effect.
create table paypal_events (
  id text primary key check (length(id) between 1 and 128),
  order_id uuid not null references orders on delete cascade,
  event_type text not null,
  received_at timestamptz not null default now()
);
