-- The grid that a charger draws from, by the operator's word; without one it is that of its price signal, or of a company with one area.
alter table charger add column area text;

-- Whoever holds the socket of a charger that is removed lets go of it.
create trigger tell_charger_removed after delete on charger for each row execute function tell_change('charger-removed', 'identity');
