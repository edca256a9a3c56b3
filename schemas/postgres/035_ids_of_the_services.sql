-- The services generate all ids, ordered by time. These defaults are for processes of the previous release; they used a
-- function that exists only since Postgres 18.
alter table audit_entries alter column id set default gen_random_uuid();
alter table sessions alter column id set default gen_random_uuid();
alter table outgoing_mails alter column id set default gen_random_uuid();
alter table email_changes alter column id set default gen_random_uuid();
alter table alert_changes alter column id set default gen_random_uuid();
alter table webhook_deliveries alter column id set default gen_random_uuid();
