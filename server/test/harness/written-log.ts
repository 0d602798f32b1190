import { Client } from 'pg'

/** What one stage wrote: rows of tables by kind of change, and bytes of log. */
export type Written = { inserted: number; updated: number; deleted: number; locked: number; logBytes: number }

export type WrittenLog = {
  /** The end of what was written so far. */
  mark(): Promise<string>
  /** What was written between each mark and the next one. */
  between(marks: readonly string[]): Promise<Written[]>
  /** Bytes of all live rows and of the index entries of live rows. */
  stored(): Promise<number>
  close(): Promise<void>
}

/**
 * Reads what a database has written from the log of its server: exact counts, also of what triggers and foreign keys do, however the
 * statements are put together. The server must serve nobody else, and autovacuum must be off.
 */
export async function openWrittenLog(databaseUrl: string): Promise<WrittenLog> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'prokura test harness' })
  await client.connect()
  await client.query('create extension if not exists pg_walinspect')
  await client.query('create extension if not exists pgstattuple')
  // A commit that waits for the disk takes along what all the others have left unwritten. Only what is on the disk can be read.
  await client.query('set synchronous_commit = on')
  return {
    async mark() {
      await client.query(`select pg_logical_emit_message(true, 'harness', '')`)
      const { rows } = await client.query<{ mark: string }>('select pg_current_wal_flush_lsn() as mark')
      return rows[0]?.mark ?? ''
    },
    async between(marks) {
      const { rows } = await client.query<Written>(writtenBetween, [marks])
      return rows
    },
    async stored() {
      // Entries of dead rows count as stored until they are removed.
      await client.query('vacuum (index_cleanup on)')
      const { rows } = await client.query<{ bytes: string }>(storedBytes)
      return Number(rows[0]?.bytes)
    },
    close: () => client.end(),
  }
}

/**
 * What processes write by the clock, whatever is bought: leases of shards and the last use of keys, with all that their transactions
 * write. The work of pages, which one purchase in many pays for (splits, cleaning), does not count either.
 */
const writtenBetween = `
  with stages as (
    select lsn::pg_lsn as begins, lead(lsn::pg_lsn) over (order by number) as ends, number
    from unnest($1::text[]) with ordinality as m (lsn, number)
  ), whole as (
    select min(begins) as begins, max(begins) as ends from stages
  ), written as (
    select b.start_lsn, c.relname, c.relkind, c.relnamespace = 'public'::regnamespace as is_ours
    from whole w, pg_get_wal_block_info(w.begins, w.ends, false) b
    join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
    where b.block_id = 0 and b.reldatabase = (select oid from pg_database where datname = current_database())
  ), records as (
    select r.*, b.relname, b.is_ours and b.relkind = 'r' as is_row
    from whole w, pg_get_wal_records_info(w.begins, w.ends) r left join written b on b.start_lsn = r.start_lsn
    where r.resource_manager in ('Heap', 'Heap2', 'Btree', 'Transaction', 'MultiXact')
      and r.record_type !~ '^(?:SPLIT|NEWROOT|DEDUP|VACUUM|DELETE_PAGE|PRUNE|VISIBLE|FREEZE)'
  ), apart as (
    select distinct xid from records
    where relname in ('outbox_shards', 'api_keys') and record_type ~ 'UPDATE' and xid::text <> '0'
  ), counted as (
    select * from records where xid not in (select xid from apart)
      and xid not in (select r.xid from records r group by r.xid having bool_and(r.relname is null))
  )
  select count(*) filter (where is_row and record_type like 'INSERT%')::int as inserted,
    count(*) filter (where is_row and record_type ~ '^(?:HOT_)?UPDATE')::int as updated,
    count(*) filter (where is_row and resource_manager = 'Heap' and record_type = 'DELETE')::int as deleted,
    count(*) filter (where is_row and record_type in ('LOCK', 'LOCK_UPDATED'))::int as locked,
    coalesce(sum(record_length - fpi_length), 0)::int as "logBytes"
  from stages s left join counted c on c.start_lsn >= s.begins and c.start_lsn < s.ends
  where s.ends is not null group by s.number order by s.number`

/** Each row and entry with its pointer in the page. */
const storedBytes = `
  select sum(t.tuple_len + 4 * t.tuple_count)::bigint as bytes
  from pg_class c left join pg_am a on a.oid = c.relam cross join lateral pgstattuple(c.oid) t
  where c.relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)
    and (c.relkind in ('r', 't') or c.relkind = 'i' and a.amname = 'btree') and c.oid >= 16384`
