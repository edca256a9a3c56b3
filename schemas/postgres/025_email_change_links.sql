-- Links that undo email changes become ordinary one-time links; those already mailed keep working.
insert into one_time_links (secret_hash, account_id, purpose, email, expires_at)
select token_hash, account_id, 'email-changed', old_email, expires_at from email_changes;

-- Services of the previous version still write it during the upgrade.
alter table email_changes alter column token_hash drop not null;

-- Mails in the outbox get their link when they are sent.
update outgoing_mails set content = content - 'token' where content ? 'token';
