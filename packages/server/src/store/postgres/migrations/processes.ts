/** The processes that take part in the election of the worker, and the connections that they hold. */
export const processesMigration = `
  CREATE TABLE cluster_processes (
    instance uuid PRIMARY KEY,
    node uuid NOT NULL,
    role text NOT NULL,
    name text NOT NULL,
    release text NOT NULL,
    level integer NOT NULL,
    pid integer NOT NULL,
    backend_start timestamptz NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now()
  );
`
