/** Creates a database with the current schema, and prints its URL. */
import { createDatabase } from './databases.ts'
import { postgresTemplate } from './postgres-template.ts'

process.stdout.write((await createDatabase(await postgresTemplate())).url)
