-- What a shop elsewhere was asked before anything is bought there, and what it showed. A row is a job of workers first, and then what all
-- API processes answer with for some minutes. Nothing in it says who asks for whom.
create table looks (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- Of everything that makes a difference to the answer: the same question is asked once.
  key bytea not null check (length(key) = 32),
  -- Of the shop, with its port where that is not the usual one.
  host text collate "C" not null,
  request jsonb not null,
  -- Null: nobody has looked yet.
  answer jsonb,
  answered_at timestamptz,
  -- Until when the answer is good enough.
  fresh_until timestamptz,
  created_at timestamptz not null,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  primary key (account_id, mode, id),
  -- It waits for a worker, or it has its answer.
  check (num_nulls(due_at, answer) = 1 and num_nulls(answer, answered_at, fresh_until) in (0, 3))
);
create unique index looks_key on looks (account_id, mode, key);
create index looks_age on looks (answered_at) where answered_at is not null;
create index looks_due_of_tenant on looks (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index looks_due_later on looks (mode, coalesce(due_at, 'infinity')) where not is_due;

create trigger note_due_of_new before insert on looks for each row execute function note_due_of_new();
create trigger note_due before update of due_at on looks for each row execute function note_due();
alter table looks enable always trigger note_due_of_new, enable always trigger note_due;
