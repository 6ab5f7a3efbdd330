-- Cards of a wall screen, their order and the seconds of each; null: the standard cards.
-- They are chosen with the link, and can be changed in the list of sessions.
alter table user_session add column wall_show jsonb;
alter table one_time_code add column wall_show jsonb;
