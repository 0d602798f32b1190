-- Large files that are being taken in. Their pieces are written as they come, each in a transaction of its own, so that a slow sender
-- holds no connection of the database; the row says that pieces without an import may still get one. It goes with the transaction that
-- makes the import. What never comes to that is swept, row and pieces.
--
-- A process of the version before writes pieces and import in one transaction, and no row here.
set local lock_timeout = '400ms';

create table catalog_import_uploads (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  import_id text collate "C" not null,
  begun_at timestamptz not null,
  primary key (account_id, mode, import_id)
);
create index catalog_import_uploads_begun on catalog_import_uploads (begun_at);

-- The pieces come before the import, and by themselves.
alter table catalog_import_pieces drop constraint catalog_import_pieces_account_id_mode_import_id_fkey;
