-- The month's revenue is asked for by a scope of its own; keys that could read it may go on.
set local role gridmast_system;
update api_key set scopes = scopes || 'revenue.read'::text where 'economics.read' = any(scopes);
reset role;
