-- Files that merchants put their catalogue in with. The file is kept in pieces until it has been worked through; the row is the job,
-- and its cursor is committed with every batch of items, so that whoever takes over begins exactly behind it.

create table catalog_imports (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  format text not null check (format in ('json_lines', 'csv')),
  publish boolean not null,
  bytes bigint not null check (bytes >= 0),
  -- Where the next item begins: the byte, the line, and what the columns are called.
  read_bytes bigint not null default 0 check (read_bytes between 0 and bytes),
  read_lines integer not null default 0,
  columns text[],
  rows integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  -- Faults that are kept; of a file that is all faults, the first ten thousand.
  errors_kept integer not null default 0,
  failure text,
  seq integer not null,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  primary key (account_id, mode, id),
  constraint catalog_imports_counted check (rows = created + updated + unchanged + failed),
  check ((status in ('queued', 'running')) = (due_at is not null)),
  check ((status = 'failed') = (failure is not null))
);
create index catalog_imports_due on catalog_imports (due_at) where due_at is not null;
-- One of a tenant after the other.
create index catalog_imports_waiting on catalog_imports (account_id, mode, created_at, id) where due_at is not null;

-- All of one size but the last, so that the piece with a given byte is known.
create table catalog_import_pieces (
  account_id text collate "C" not null,
  mode mode not null,
  import_id text collate "C" not null,
  position integer not null,
  content bytea not null,
  primary key (account_id, mode, import_id, position),
  -- The pieces come before the row that knows how many there were.
  foreign key (account_id, mode, import_id) references catalog_imports deferrable initially deferred
);
-- Written once, read once, deleted: not worth compressing.
alter table catalog_import_pieces alter column content set storage external;

create table catalog_import_errors (
  account_id text collate "C" not null,
  mode mode not null,
  import_id text collate "C" not null,
  position integer not null,
  line integer not null,
  loc jsonb not null,
  type text not null,
  msg text not null,
  primary key (account_id, mode, import_id, position),
  foreign key (account_id, mode, import_id) references catalog_imports
);
