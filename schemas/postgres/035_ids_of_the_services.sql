-- The services make all ids, in the order of time. These defaults are for processes of the release before; they were made
-- by a function that Postgres has from 18 on only.
alter table audit_entries alter column id set default gen_random_uuid();
alter table sessions alter column id set default gen_random_uuid();
alter table outgoing_mails alter column id set default gen_random_uuid();
alter table email_changes alter column id set default gen_random_uuid();
alter table alert_changes alter column id set default gen_random_uuid();
alter table webhook_deliveries alter column id set default gen_random_uuid();
