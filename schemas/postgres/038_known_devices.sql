-- An account keeps its most recently seen devices.
alter table known_devices rename column first_seen_at to last_seen_at;
