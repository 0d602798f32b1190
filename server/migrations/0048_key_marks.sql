-- Which encryption keys the database needs: what was sealed, hashed or signed under another one opens nowhere. A version before this one
-- writes no marks and asks for none.
set local lock_timeout = '400ms';

create table key_marks (
  key_id text collate "C" primary key,
  -- The oldest one: tokens are hashed under it.
  is_root boolean not null,
  -- A digest of the id under the key itself: another key of the same id does not make it.
  proof bytea not null,
  marked_at timestamptz not null
);
create unique index key_marks_root on key_marks (is_root) where is_root;
