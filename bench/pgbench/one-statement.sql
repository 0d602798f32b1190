-- The rows of a new purchase in one statement, committed by itself, with its JSON as parameters that are parsed anew each time.
\set n :n + 1
with intent as (
insert into purchase_intents (account_id, mode, id, profile_id, api_key_id, payment_method_id, policy_id, status, currency,
  expected_amount, max_allowed_amount, actual_amount, settled_amount, caller_max_amount, fee_allowance, tax_allowance,
  tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision, policy_result, approval_required, approved_by,
  approved_at, approval_expires_at, payment_verified_at, next_action, failure, partial, cancel_reason, offer_summary, reapproval,
  reference_id, metadata, idempotency_key, actor_type, actor_id, merchants, search, seq, due_at, created_at, updated_at, started_at,
  completed_at)
values (:account::text, 'test', 'pi_' || :run::text || :client_id::text || 'x' || :n::text, :profile::text,
  'key_01jb2w9m4ye6xs3kq8t7v5c0zd', null, null, 'awaiting_approval', 'USD', 2500, 3825, 0, 0, null, 800, 300, 500, 'reapprove',
  :items::jsonb, :fulfillment::jsonb,
  :decision::jsonb, 'require_approval', true, null, null, now() + interval '1 day', null,
  :action::jsonb, null, false, null, null, null, 'bench', :metadata::jsonb,
  'key' || :run::text || :client_id::text || 'x' || :n::text, 'api_key', 'key_01jb2w9m4ye6xs3kq8t7v5c0zd', '{sandbox-merchant.example}',
  'pi_' || :run::text || :client_id::text || 'x' || :n::text || ' prof_01jb2w9m4ye6xs3kq8t7v5c0zd bench sandbox-merchant.example',
  2, now() + interval '1 day', now(), now(), null, null)
), two_events as (
insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object_bytes,
  object_at, recipient_account_id, envelope_bytes, created_at)
values (:account::text, 'test', 'evt_' || :run::text || :client_id::text || 'x' || :n::text || 'a', 'purchase_intent.created',
    'pi_' || :run::text || :client_id::text || 'x' || :n::text, 1, null, 'api_key',
    'key_01jb2w9m4ye6xs3kq8t7v5c0zd', 'req_01jb2w9m4ye6xs3kq8t7v5c0zd', :object::bytea, null, null, null, now()),
  (:account::text, 'test', 'evt_' || :run::text || :client_id::text || 'x' || :n::text || 'b', 'purchase_intent.awaiting_approval',
    'pi_' || :run::text || :client_id::text || 'x' || :n::text, 2, null, 'api_key',
    'key_01jb2w9m4ye6xs3kq8t7v5c0zd', 'req_01jb2w9m4ye6xs3kq8t7v5c0zd', null, 1, null, null, now())
), pointers as (
insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, created_at)
values (3, 1, :account::text, 'test', 'pi_' || :run::text || :client_id::text || 'x' || :n::text, 1, 2, false, false, now())
)
insert into idempotency_keys (account_id, mode, operation, key, keyed_digest, digest_key, status, headers, event_id, object_id, body, created_at)
values (:account::text, 'test', 'v1_create_purchase_intent', 'key' || :run::text || :client_id::text || 'x' || :n::text,
  '\x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'k1', 201, null,
  'evt_' || :run::text || :client_id::text || 'x' || :n::text || 'a', 'pi_' || :run::text || :client_id::text || 'x' || :n::text, null, now());
