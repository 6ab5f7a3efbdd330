-- Lists and sums read the amounts alone: what they come from, some kilobytes each, stands apart from them in rows that are written from now on.
alter table settlement set (toast_tuple_target = 256);
alter table settlement_revision set (toast_tuple_target = 256);
