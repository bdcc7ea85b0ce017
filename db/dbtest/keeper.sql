-- keeper.renew() makes a database what it is now, in a session without triggers and foreign keys.
CREATE SCHEMA keeper;

-- One row for each change of more than rows.
CREATE TABLE keeper.changes ();

CREATE FUNCTION keeper.note_change() RETURNS event_trigger LANGUAGE plpgsql AS
'BEGIN INSERT INTO keeper.changes DEFAULT VALUES; END';

-- renew puts back the rows of now, and begins the numbers anew of which none is taken now. Returns false where that is
-- not enough: somebody changed more, holds a lock, or is still at work. What a session has set for itself stays.
DO $install$
DECLARE
	body text := '';
	name text;
	found boolean;
BEGIN
	FOR name IN SELECT format('%I', tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
		body := body || format('DELETE FROM public.%s; ', name);
		EXECUTE format('SELECT EXISTS (SELECT FROM public.%s)', name) INTO found;
		IF found THEN
			EXECUTE format('CREATE TABLE keeper.%s AS TABLE public.%s', name, name);
			body := body || format('INSERT INTO public.%s OVERRIDING SYSTEM VALUE TABLE keeper.%s; ', name, name);
		END IF;
	END LOOP;
	FOR name IN SELECT format('public.%I', sequencename) FROM pg_sequences
			WHERE schemaname = 'public' AND last_value IS NULL LOOP
		body := body || format('PERFORM setval(%L, 1, false); ', name);
	END LOOP;
	EXECUTE format($create$
		CREATE FUNCTION keeper.renew() RETURNS boolean LANGUAGE plpgsql AS $body$ BEGIN
			IF EXISTS (SELECT FROM keeper.changes)
				OR EXISTS (SELECT FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase
					WHERE datname = current_database())
				OR EXISTS (SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
					WHERE datname = current_database() AND locktype = 'advisory')
				OR EXISTS (SELECT FROM pg_stat_activity
					WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()) THEN
				RETURN false;
			END IF;
			%s
			RETURN true;
		END $body$ $create$, body);
END $install$;

CREATE EVENT TRIGGER note_change ON ddl_command_end EXECUTE FUNCTION keeper.note_change();
