const unused = () => () => {
  throw new Error('No route has a schema of Fastify.')
}

/** Setting of Fastify for servers whose routes have no schemas: the two compilers, 120 modules, are not loaded. */
export const noSchemas = { compilersFactory: { buildValidator: unused, buildSerializer: unused } }
