-- The search finds bid requests by a day: a request has at most 400 days, so those of a day end within the 400 days after it.
-- Without an index each search with a day reads all requests of the customer.
create index bid_request_by_end on bid_request (customer_id, end_date);
