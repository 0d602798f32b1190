-- Many events of a chain in one row, under one signature. The entries of earlier versions stay as they are; the first batch follows the last
-- of them. A process of the version before adds entries behind batches, and this one adds batches behind these: both take the position and
-- the hash from the head, whose row they lock, so either may continue what the other wrote.
create table audit_batches (
  account_id text collate "C" not null,
  mode mode not null,
  first_position bigint not null,
  last_position bigint not null,
  scheme smallint not null,
  key_id text collate "C" not null,
  -- The events in order: of each aggregate the sequences from the first to the last.
  aggregate_ids text[] collate "C" not null,
  first_sequences integer[] not null,
  last_sequences integer[] not null,
  -- 32 bytes for each event, in the same order.
  digests bytea not null,
  at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, mode, last_position),
  constraint audit_batches_whole check (
    octet_length(digests) = 32 * (last_position - first_position + 1)
    and cardinality(aggregate_ids) = cardinality(first_sequences) and cardinality(aggregate_ids) = cardinality(last_sequences)
  )
-- Digests do not get smaller by compression, and a second table for those of larger batches would cost more than the row.
) with (toast_tuple_target = 8160);
alter table audit_batches alter column digests set storage external;
