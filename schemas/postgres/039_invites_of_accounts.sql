-- An invite may name the address of the account that used it, and is deleted with that account.
delete from invites where used_at is not null and used_by is null;
alter table invites
  drop constraint invites_used_by_fkey,
  add constraint invites_used_by_fkey foreign key (used_by) references accounts on delete cascade
    deferrable initially deferred;
