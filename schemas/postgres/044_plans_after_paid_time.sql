-- The plan that follows the paid time: the one without an end that the account had when it paid.
alter table accounts add column plan_after text not null default 'free';
