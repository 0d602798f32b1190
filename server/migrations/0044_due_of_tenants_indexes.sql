-- no transaction
-- See 0043: what was there before is noted, a table at a time, and then found. No index by time alone would do for a claim that asks for one
-- tenant: it leads past everybody else's rows, and the planner takes it where there are few tenants. So the new ones have the time in a form
-- that the old ones, which stay for the version before, do not have.
update orders set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists orders_due_of_tenant on orders (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists orders_due_later on orders (mode, coalesce(due_at, 'infinity')) where not is_due;
update quotes set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists quotes_due_of_tenant on quotes (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists quotes_due_later on quotes (mode, coalesce(due_at, 'infinity')) where not is_due;
update catalog_imports set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists catalog_imports_due_of_tenant on catalog_imports (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists catalog_imports_due_later on catalog_imports (mode, coalesce(due_at, 'infinity')) where not is_due;
update promotions set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists promotions_due_of_tenant on promotions (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists promotions_due_later on promotions (mode, coalesce(due_at, 'infinity')) where not is_due;
update promotion_redemptions set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists promotion_redemptions_due_of_tenant on promotion_redemptions (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists promotion_redemptions_due_later on promotion_redemptions (mode, coalesce(due_at, 'infinity')) where not is_due;
update onboarding_links set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists onboarding_links_due_of_tenant on onboarding_links (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists onboarding_links_due_later on onboarding_links (mode, coalesce(due_at, 'infinity')) where not is_due;
update integration_checks set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists integration_checks_due_of_tenant on integration_checks (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists integration_checks_due_later on integration_checks (mode, coalesce(due_at, 'infinity')) where not is_due;
update domain_verifications set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists domain_verifications_due_of_tenant on domain_verifications (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists domain_verifications_due_later on domain_verifications (mode, coalesce(due_at, 'infinity')) where not is_due;
update order_refunds set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists order_refunds_due_of_tenant on order_refunds (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists order_refunds_due_later on order_refunds (mode, coalesce(due_at, 'infinity')) where not is_due;
update carts set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists carts_due_of_tenant on carts (mode, channel, account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists carts_due_later on carts (mode, channel, coalesce(due_at, 'infinity')) where not is_due;
update purchase_intents set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists purchase_intents_due_of_tenant on purchase_intents (mode, (status = 'awaiting_approval'), account_id, coalesce(due_at, 'infinity')) where is_due;
create index concurrently if not exists purchase_intents_due_later on purchase_intents (mode, (status = 'awaiting_approval'), coalesce(due_at, 'infinity')) where not is_due;
update deliveries set is_due = due_at <= prokura_now() where due_at is not null and is_due is null;
create index concurrently if not exists deliveries_due_of_destination on deliveries (account_id, mode, destination_id) where is_due;
create index concurrently if not exists deliveries_due_later on deliveries (coalesce(due_at, 'infinity')) where not is_due;
-- Of the version before the last.
drop index concurrently if exists carts_due;
drop index concurrently if exists purchase_intents_due;
drop index concurrently if exists order_refunds_due;
