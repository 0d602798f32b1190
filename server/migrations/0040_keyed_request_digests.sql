-- What tells two requests under one idempotency key apart is a keyed digest: from an unkeyed one whoever read the table could guess what a
-- request held (a date of birth, a one-time code). `digest_key` names the key, so that a rotation leaves earlier rows comparable. Rows of
-- before have `request_digest` alone and are compared by it until they expire.
--
-- The version before knows `request_digest` alone. So that it can answer a repeat while both run side by side, rows carry both for an hour
-- after this migration; then the sweeper takes the unkeyed one away. A process of before that runs for longer answers such a repeat with
-- an internal error and does nothing.
set local lock_timeout = '400ms';

alter table idempotency_keys
  alter column request_digest drop not null,
  add column keyed_digest bytea,
  add column digest_key text collate "C",
  add constraint idempotency_keys_digest check (
    (keyed_digest is null) = (digest_key is null) and (keyed_digest is not null or request_digest is not null)
  ) not valid;

-- Until when rows carry the unkeyed digest, too; minus infinity once none carries both.
create table idempotency_digests (
  one boolean primary key default true check (one),
  unkeyed_until timestamptz not null
);
insert into idempotency_digests (unkeyed_until)
select case when exists (select from idempotency_keys) then prokura_now() + interval '1 hour' else '-infinity' end;
