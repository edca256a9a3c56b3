-- The links that undo email changes are one-time links like all others; those that were mailed go on working.
insert into one_time_links (secret_hash, account_id, purpose, email, expires_at)
select token_hash, account_id, 'email-changed', old_email, expires_at from email_changes;

-- Services of the version before still write it while they are replaced.
alter table email_changes alter column token_hash drop not null;

-- What waits in the outbox gets its link when it is sent.
update outgoing_mails set content = content - 'token' where content ? 'token';
