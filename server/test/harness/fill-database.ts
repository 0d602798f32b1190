import type { Client } from 'pg'

/** Tables that grow with use. A statement that scans one of them gets slower every day. */
export const growingTables: ReadonlySet<string> = new Set([
  'profiles',
  'payment_methods',
  'purchase_intents',
  'purchase_terms',
  'carts',
  'event_rows',
  'outbox',
  'follower_backlog',
  'idempotency_keys',
  'orders',
  'order_refunds',
  'quotes',
  'quote_answers',
  'deliveries',
  'delivery_attempts',
  'effects',
  'authorizations',
  'agents',
  'api_keys',
  'catalog_items',
  'business_locations',
  'markets',
  'market_regions',
  'rate_cards',
  'rate_card_zones',
  'onboarding_links',
  'promotions',
  'promotion_counters',
  'promotion_redemptions',
  'policy_reservations',
  'policy_windows',
  'audit_batches',
  'audit_entries',
  'event_listeners',
  'rate_counters',
])

/** Puts `rows` rows into each of the growing tables, over fifty accounts, and analyzes them. */
export async function fillDatabase(client: Client, rows: number): Promise<void> {
  // Without foreign keys this takes a third of the time. A user without the right to drop them waits for all of it.
  await client.query('set session_replication_role = replica').catch(() => undefined)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(plainIndexes)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const text of fillers) await client.query(text, text.includes('$1') ? [rows] : [])
  // An index that is built at once takes a fraction of the time that it takes row by row.
  await client.query(`set maintenance_work_mem = '256MB'`)
  for (const { definition } of indexes) await client.query(definition)
  await client.query('set session_replication_role = origin').catch(() => undefined)
  await client.query('set default_statistics_target = 20')
  await client.query('analyze')
}

/** The indexes that belong to no constraint. */
const plainIndexes = `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`

const each = `from generate_series(1, $1::int) as i`
const account = `'acct_fill' || i % 50, 'test'`
const padded = `lpad(i::text, 8, '0')`
const now = `now() - i * interval '1 s'`

const fillers = [
  `insert into accounts (id, name, created_at) select 'acct_fill' || i, 'Filler', now() from generate_series(0, 49) as i`,
  `insert into accounts (id, name, created_at) select 'acct_listens' || ${padded}, 'Listener', now() ${each}`,
  `insert into event_listeners (account_id, mode, since) select 'acct_listens' || ${padded}, 'test', now() ${each}`,
  `insert into merchants (account_id, mode, verification_token, tax_basis_points, seq, created_at, updated_at)
     select 'acct_fill' || i, 'test', 'x', 0, 1, now(), now() from generate_series(0, 49) as i`,
  `insert into destinations (account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, confirmed_at, seq, created_at,
     updated_at)
     select 'acct_fill' || i, 'test', 'dest_fill' || i, 'Hooks', false, '{}', 'https://hooks.example', 'enabled', now(), 1, now(), now()
     from generate_series(0, 49) as i`,
  `insert into destination_hosts (host, tests, last_test_at) select 'hooks' || i || '.example', '{}', now() ${each}`,
  `insert into policies (account_id, mode, id, name, scope_default, scope_profile_ids, scope_agent_ids, terms, version, seq, created_at, updated_at)
     select 'acct_fill' || i, 'test', 'pol_fill' || i, 'Filler', true, '{}', '{}', '{}', 1, 1, now(), now() from generate_series(0, 49) as i`,
  `insert into policy_windows (account_id, mode, policy_id, interval, start)
     select ${account}, 'pol_fill' || i % 50, 'day', to_char(now() - i * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') ${each}`,
  `insert into profiles (account_id, mode, id, profile_type, first_name, last_name, email, country, status, issuing_state, seq, created_at,
     updated_at)
     select ${account}, 'prof_' || ${padded}, 'consumer', 'Ada', 'Lovelace ' || i, 'ada' || i || '@example.com', 'GB', 'active', 'not_requested',
       1, ${now}, ${now} ${each}`,
  `insert into payment_methods (account_id, mode, id, profile_id, type, is_default, card_kind, card_brand, card_last4, card_exp_month,
     card_exp_year, vault_token, enrollment_requested, agentic_status, seq, created_at, updated_at)
     select ${account}, 'pm_' || ${padded}, 'prof_' || ${padded}, 'card', true, 'existing', 'visa', '4242', 1, 2030, 'tok_' || i, false,
       'not_requested', 1, ${now}, ${now} ${each}`,
  `insert into purchase_intents (account_id, mode, id, profile_id, payment_method_id, status, currency, expected_amount, max_allowed_amount,
     fee_allowance, tax_allowance, tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision, policy_result,
     approval_required, metadata, idempotency_key, actor_type, merchants, search, seq, due_at, created_at, updated_at)
     select ${account}, 'pi_' || ${padded}, 'prof_' || ${padded}, 'pm_' || ${padded},
       case when i % 20 = 0 then 'awaiting_approval' else 'succeeded' end, 'EUR', 1000, 1500, 300, 200, 500, 'fail', '[]', '{}', '{}', 'allow',
       false, '{}', 'key-' || i, 'api_key', '{}', 'pi_' || ${padded} || ' shop' || i || '.example', 2,
       case when i % 20 = 0 then now() + interval '1 day' end, ${now}, ${now} ${each}`,
  `insert into purchase_terms (account_id, mode, term, intent_id) select ${account}, 'order-' || i, 'pi_' || ${padded} ${each}`,
  `insert into carts (account_id, mode, id, intent_id, position, merchant_name, merchant_domain, channel, items, status, attempt_id, currency,
     expected_amount, max_allowed_amount, fee_allowance, tax_allowance, tolerance_basis_points, due_at, created_at, updated_at)
     select ${account}, 'cart_' || ${padded}, 'pi_' || ${padded}, 0, 'Shop', 'shop.example', 'native', '[]',
       case when i % 100 = 0 then 'in_progress' else 'succeeded' end, 'att_' || i, 'EUR', 1000, 1500, 300, 200, 500,
       case when i % 100 = 0 then now() + interval '1 hour' end, ${now}, ${now} ${each}`,
  `insert into effects (account_id, mode, cart_id, attempt, step, key, intent_id, request_digest, request, state, sent_at, not_before)
     select ${account}, 'cart_' || ${padded}, 1, 'authorize', 'cart_' || ${padded} || ':1:authorize', 'pi_' || ${padded}, '\\x00', '{}', 'done', ${now}, ${now} ${each}`,
  `insert into authorizations (account_id, mode, cart_id, attempt, intent_id, kind, reference, amount, currency, status, expires_at, created_at,
     updated_at)
     select ${account}, 'cart_' || ${padded}, 1, 'pi_' || ${padded}, 'authorization', 'auth-' || i, 1000, 'EUR', 'authorized', ${now}, ${now},
       ${now} ${each}`,
  `insert into policy_reservations (account_id, mode, intent_id, policy_id, number, version, amount, count, window_starts, state, actual_amount,
     created_at, ended_at)
     select ${account}, 'pi_' || ${padded}, 'pol_fill' || i % 50, 1, 1, 1000, 1, '{}', 'settled', 1000, ${now}, ${now} ${each}`,
  `insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, actor_type, request_id, object, created_at)
     select ${account}, 'evt_' || ${padded}, 'purchase_intent.created', 'pi_' || ${padded}, 1, 'api_key', 'req_' || i, '{}', ${now} ${each}`,
  `insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, created_at)
     select i % 16, 1, ${account}, 'pi_' || ${padded}, 1, 1, i % 2 = 0, i % 4 = 0, ${now} ${each}`,
  `insert into follower_backlog (shard, follower, event_id, account_id, mode, aggregate_id, sequence, behind_since, due_at)
     select i % 16, 'deliveries', 'evt_' || ${padded}, ${account}, 'pi_' || ${padded}, 1, ${now}, ${now} ${each}`,
  `insert into idempotency_keys (account_id, mode, operation, key, keyed_digest, digest_key, status, event_id, object_id, created_at)
     select ${account}, 'v1_create_purchase_intent', 'key-' || i, '\\x00', 'k1', 201, 'evt_' || ${padded}, 'pi_' || ${padded}, ${now} ${each}`,
  `insert into orders (account_id, mode, id, merchant_account_id, merchant_name, purchase_intent_id, cart_id, attempt, status, payment_status,
     currency, subtotal_amount, fulfillment_amount, tax_amount, discount_amount, total_amount, line_items, customer, expires_at, seq,
     created_at, updated_at)
     select ${account}, 'ord_' || ${padded}, 'acct_fill' || i % 50, 'Shop', 'pi_' || ${padded}, 'cart_' || ${padded}, 1, 'cancelled', 'voided',
       'EUR', 1000, 0, 0, 0, 1000, '[{"title": "One thing"}]', '{"name": "Ada", "email": "ada@example.com"}', ${now}, 2, ${now}, ${now} ${each}`,
  `insert into order_refunds (account_id, mode, id, order_id, cart_id, attempt, amount, currency, status, settled_at, due_at, created_at)
     select ${account}, 'rfd_' || ${padded}, 'ord_' || ${padded}, 'cart_' || ${padded}, 1, 100, 'EUR',
       case when i % 100 = 0 then 'pending' else 'succeeded' end, case when i % 100 <> 0 then now() end,
       case when i % 100 = 0 then now() + interval '1 hour' end, ${now} ${each}`,
  `insert into deliveries (account_id, mode, id, destination_id, event_id, event_account_id, event_type, aggregate_id, sequence, status,
     attempt_count, first_attempt_at, due_at, created_at, updated_at)
     select ${account}, 'dlv_' || ${padded}, 'dest_fill' || i % 50, 'evt_' || ${padded}, 'acct_fill' || i % 50, 'order.requested',
       'pi_' || ${padded}, 1, case when i % 100 = 0 then 'failed' else 'succeeded' end, 1, ${now},
       case when i % 100 = 0 then now() + interval '1 hour' end, ${now}, ${now} ${each}`,
  `insert into delivery_attempts (account_id, mode, delivery_id, position, at, http_status, latency_ms, body_digest)
     select ${account}, 'dlv_' || ${padded}, 1, ${now}, 200, 5, '\\x00' ${each}`,
  `insert into agents (account_id, mode, id, name, seq, created_at, updated_at)
     select ${account}, 'agent_' || ${padded}, 'Filler', 0, ${now}, ${now} ${each}`,
  `insert into api_keys (account_id, mode, id, agent_id, kind, name, prefix, hash, preset, scopes, seq, created_at, updated_at)
     select ${account}, 'key_' || ${padded}, 'agent_' || ${padded}, 'secret', 'Filler', 'pr_sk_test_', sha256(i::text::bytea), 'full', '{}', 1, ${now}, ${now} ${each}`,
  `insert into catalog_items (account_id, mode, id, handle, title, url_key, item_type, categories, media, options, variants, status, metadata, seq,
     created_at, updated_at)
     select ${account}, 'cat_' || ${padded}, 'thing-' || i, 'Thing ' || i, 'https://shop.example/' || i, 'product', '{}', '[]', '[]',
       '[{"id": "var_1"}]', 'published', '{}', 1, ${now}, ${now} ${each}`,
  `insert into business_locations (account_id, mode, id, name, address, timezone, visibility, hours, source_fields, status, metadata, seq,
     created_at, updated_at)
     select ${account}, 'loc_' || ${padded}, 'Store', '{}', 'UTC', 'private', '[]', '{}', 'active', '{}', 1, ${now}, ${now} ${each}`,
  `insert into markets (account_id, mode, id, code, name, currency, default_locale, locales, include, exclude, priority, is_fallback, status,
     metadata, seq, created_at, updated_at)
     select ${account}, 'mkt_' || ${padded}, 'm' || i, 'Market', 'EUR', 'en', '{en}', '[]', '[]', 0, false, 'active', '{}', 1, ${now}, ${now}
     ${each}`,
  `insert into market_regions (account_id, mode, country, subdivision, postal_prefix, priority, market_id)
     select ${account}, 'DE', '', i::text, 0, 'mkt_' || ${padded} ${each}`,
  `insert into rate_cards (account_id, mode, id, name, fulfillment_type, currency, market_ids, timing, rate, zones, labels, location_ids, status,
     metadata, seq, created_at, updated_at)
     select ${account}, 'rc_' || ${padded}, 'Parcel', 'shipping', 'EUR', '{}', '{}', '{"kind": "free"}', '[]', '{}', array['loc_' || ${padded}],
       case when i % 100 = 0 then 'active' else 'draft' end, '{}', 1, ${now}, ${now} ${each}`,
  `insert into rate_card_zones (account_id, mode, rate_card_id, position, country, subdivision, postal_prefix)
     select ${account}, 'rc_' || ${padded}, 0, 'DE', '', i::text ${each}`,
  `insert into quotes (account_id, mode, id, merchant_account_id, merchant_currency, items, quantity, inputs, metadata, status, offers,
     required_inputs, round, requested_event_id, requested_at, responded_at, responded_by_type, responded_by_id, seq, created_at, updated_at)
     select ${account}, 'quo_' || ${padded}, 'acct_fill' || i % 50, 'EUR', '[]', 1, '{}', '{}', 'declined', '[]', '[]', 1, 'evt_' || ${padded},
       ${now}, ${now}, 'api_key', 'key_1', 2, ${now}, ${now} ${each}`,
  `insert into quote_answers (account_id, mode, quote_id, event_id, round, digest, actor_type, actor_id, answered_at)
     select ${account}, 'quo_' || ${padded}, 'evt_' || ${padded}, 1, '\\x00', 'api_key', 'key_1', ${now} ${each}`,
  `insert into onboarding_links (account_id, mode, id, use_case, profile_id, status, token_hash, expires_at, metadata, due_at, seq, created_at,
     updated_at)
     select ${account}, 'onb_' || ${padded}, 'account_update', 'prof_' || ${padded}, case when i % 100 = 0 then 'pending' else 'expired' end,
       sha256(i::text::bytea), now() + interval '1 hour', '{}', case when i % 100 = 0 then now() + interval '1 hour' end, 1, ${now}, ${now} ${each}`,
  `insert into promotions (account_id, mode, id, name, status, currency, ends_at, arms, caps, identity_rule, targets, metadata, due_at, seq,
     created_at, updated_at, published_at)
     select ${account}, 'promo_' || ${padded}, 'Promotion ' || i, case when i % 100 = 0 then 'active' else 'ended' end, 'EUR',
       now() + interval '1 hour', '[]', '{}', 'any', '{}', '{}', case when i % 100 = 0 then now() + interval '1 hour' end, 1, ${now}, ${now},
       ${now} ${each}`,
  `insert into promotion_counters (account_id, mode, promotion_id) select ${account}, 'promo_' || ${padded} ${each}`,
  `insert into promotion_redemptions (account_id, mode, id, promotion_id, cart_id, order_id, arm_id, identity_hash, currency, discount_amount,
     state, due_at, created_at, updated_at)
     select ${account}, 'cart_' || ${padded} || ':1', 'promo_' || ${padded}, 'cart_' || ${padded},
       case when i % 100 > 0 then 'ord_' || ${padded} end, 'arm_1', sha256((i % 1000)::text::bytea), 'EUR', 100,
       case when i % 100 = 0 then 'reserved' else 'settled' end, case when i % 100 = 0 then now() + interval '1 hour' end, ${now}, ${now} ${each}`,
  `insert into rate_counters (name, subject, taken, expires_at) select 'destinationTests', 'acct_fill test dest_' || i, array[${now}],
     now() + interval '1 hour' ${each}`,
  `insert into audit_batches (account_id, mode, first_position, last_position, scheme, key_id, aggregate_ids, first_sequences, last_sequences,
     digests, at, previous_hash, hash)
     select ${account}, i, i, 3, 'k1', array['pi_' || ${padded}], '{1}', '{1}', sha256(i::text::bytea), ${now}, '\\x00', '\\x00' ${each}`,
  `insert into audit_entries (account_id, mode, position, scheme, range_first, range_last, range_count, key_id, event_id, actor_type, action,
     target_id, request_id, digest, at, previous_hash, hash)
     select ${account}, i, 2, i, i, 1, 'k1', 'evt_' || ${padded}, 'api_key', 'x', 'pi_' || ${padded}, 'req', '\\x00', ${now}, '\\x00', '\\x00' ${each}`,
]
