/** Returns the schema options of a group of settings, which is optional and allows no unknown settings. */
export const section = (description: string) => ({ additionalProperties: false, default: {}, description })
