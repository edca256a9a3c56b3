-- What the alert measured at that time, because it can be edited. Changes from before have the alert's condition.
alter table alert_changes add column condition jsonb;
