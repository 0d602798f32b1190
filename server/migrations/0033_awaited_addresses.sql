-- no transaction
-- A new address of a profile makes due what waits for it, from the latest due time down.
create index concurrently if not exists purchase_intents_awaiting_address on purchase_intents (account_id, mode, profile_id, due_at)
  where ship_to = 'awaited' and status = 'awaiting_approval';
