-- The official suite of UCP talks to a translator in front of the service, and buys at an ordinary shop.
drop table conformance_shops;
drop table conformance_addresses;
