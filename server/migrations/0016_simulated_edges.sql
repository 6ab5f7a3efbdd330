-- What an edge measures may be made up, as in the demo: the operator's file says so, and every screen and file that shows it.
-- An edge that the file does not call simulated measures.
alter table edge add column simulated boolean not null default false;
