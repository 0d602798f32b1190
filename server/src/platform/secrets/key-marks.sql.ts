import { statement } from '../../contract/statement.ts'

export type KeyMark = { key_id: string; is_root: boolean; proof: Buffer }

export const selectKeyMarks = statement<KeyMark, Record<never, never>>(
  'select_key_marks',
  `/* tenantless: of the installation */ select key_id, is_root, proof from key_marks order by marked_at, key_id`,
)

/** When several processes mark a new database at once, only one root is the first. */
export const insertKeyMarks = statement<never, { key_ids: string[]; are_root: boolean[]; proofs: Buffer[] }>(
  'insert_key_marks',
  `/* tenantless: of the installation */
   insert into key_marks (key_id, is_root, proof, marked_at)
   select key_id, is_root, proof, prokura_now() from unnest($key_ids::text[], $are_root::boolean[], $proofs::bytea[])
     as mark (key_id, is_root, proof)
   on conflict do nothing`,
)
